import { walk } from '../test/walk/walk.ts'
import { sampleNow, serveSample } from './league.ts'
import { table } from './table.ts'

/**
 * Prints how many functions of each room and file one request runs through, where nothing is known, where its rows
 * are, and where its answer is.
 */
async function main(): Promise<void> {
  const sample = await serveSample()
  const { cold, warm, kept } = await walk({ ...sample, moment: sampleNow }).finally(() => sample.close())
  const walks = [cold, warm, kept].map(({ functions }) => functions)
  const files = [...new Set(walks.flatMap((functions) => [...functions.keys()]))].toSorted()
  const row = (title: string, of: readonly string[]) => [
    title,
    ...walks.map((functions) => String(of.reduce((sum, file) => sum + (functions.get(file) ?? 0), 0))),
  ]
  const rooms = [...new Set(files.map(roomOf))].map((room) => {
    const own = files.filter((file) => roomOf(file) === room)
    return [row(room, own), ...own.map((file) => row(`  ${file}`, [file]))]
  })
  const sizes = walks.map(({ size }) => String(size))
  console.log(
    table(['functions', 'cold', 'warm', 'kept'], [...rooms.flat(), row('all', files), ['files', ...sizes]]),
  )
}

const roomOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/') + 1) : './')

await main()
