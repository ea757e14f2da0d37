import { walk } from '../test/walk/walk.ts'
import { sampleNow, serveSample } from './league.ts'

/**
 * Prints how many functions of each room and file one request runs through, where nothing is known, where its rows
 * are, and where its answer is.
 */
async function main(): Promise<void> {
  const sample = await serveSample()
  const { cold, warm, kept } = await walk({ ...sample, moment: sampleNow }).finally(() => sample.close())
  const walks = [cold, warm, kept].map(({ functions }) => functions)
  const files = [...new Set(walks.flatMap((functions) => [...functions.keys()]))].toSorted()
  const ranIn = (some: readonly string[]) =>
    walks.map((functions) => some.reduce((sum, file) => sum + (functions.get(file) ?? 0), 0))
  print(['cold', 'warm', 'kept'], 'functions of')
  for (const room of new Set(files.map(roomOf))) {
    const own = files.filter((file) => roomOf(file) === room)
    print(ranIn(own), room)
    for (const file of own) print(ranIn([file]), `  ${file}`)
  }
  print(ranIn(files), 'all')
  const sizes = walks.map(({ size }) => size)
  print(sizes, 'files')
}

/** The figures come first and in columns of one width, so that a new name changes no other line. */
function print(figures: readonly (string | number)[], name: string): void {
  console.log(`${figures.map((figure) => String(figure).padStart(6)).join('')}  ${name}`)
}

const roomOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/') + 1) : './')

await main()
