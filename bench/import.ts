import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from './child.ts'
import { writeYearBefore } from './import/yearbefore.ts'

const data = join(import.meta.dirname, '../../shared/data')

const seasons = ['ncaa-mbb-2026', 'cfb-2025'] as const
type Season = (typeof seasons)[number]

/** Upper bounds of an import of a whole season: seconds, and MiB. */
const limits = { seconds: 60, memory: 1024 }

/**
 * Measures the import of each real season: seconds, those of the processor, also as a multiple of reading
 * the files alone, the database’s size and the largest memory of the process. Each import has a process of
 * its own, as `npm run service -- import` has.
 *
 * @param folder the folder of `ncaa-mbb-2026` and `cfb-2025`
 * @returns whether each took less than a minute of the processor and a gibibyte, and three in one database a
 *   gibibyte each
 */
export async function run(folder = data, print: (line: string) => void = console.log): Promise<boolean> {
  let good = true
  for (const season of seasons) {
    const { cpu, reading, size, ...figures } = await measure(season, join(folder, season))
    print(
      `${season}: ${figures.seconds.toFixed(1)} s, ${cpu.toFixed(1)} of the processor, ${(cpu / reading).toFixed(1)} × reading the files; ${figures.rows} rows, ${size.toFixed(0)} MiB; memory at most ${figures.memory.toFixed(0)} MiB`,
    )
    good &&= figures.seconds < limits.seconds && figures.memory < limits.memory
  }
  return (await three(folder, print)) && good
}

/**
 * Imports three seasons into one database: both real ones, then basketball's as if it were a year earlier.
 * The earlier season comes last, so the later one is computed again from its ratings.
 */
async function three(folder: string, print: (line: string) => void): Promise<boolean> {
  return inFolder(async (target) =>
    inFolder(async (before) => {
      await writeYearBefore(join(folder, 'ncaa-mbb-2026'), before)
      const all = { seconds: 0, cpu: 0, memory: 0 }
      const sources = [
        ...seasons.map((season) => ({ season, source: join(folder, season) })),
        { season: seasons[0], source: before },
      ]
      for (const { season, source } of sources) {
        const one = await imported(season, source, target)
        all.seconds += one.seconds
        all.cpu += one.cpu
        all.memory = Math.max(all.memory, one.memory)
      }
      print(
        `three seasons in one database: ${all.seconds.toFixed(1)} s, ${all.cpu.toFixed(1)} of the processor; ${sizeOf(target).toFixed(0)} MiB; memory at most ${all.memory.toFixed(0)} MiB`,
      )
      return all.memory < limits.memory
    }),
  )
}

interface Figures {
  readonly seconds: number
  /** Seconds of the processor, and those for reading the files alone. */
  readonly cpu: number
  readonly reading: number
  readonly rows: number
  /** MiB. */
  readonly memory: number
}

const measure = (season: Season, source: string) =>
  inFolder(async (target) => ({ ...(await imported(season, source, target)), size: sizeOf(target) }))

/** Imports a season in a process of its own. */
async function imported(season: Season, source: string, target: string): Promise<Figures> {
  const child = await start('import/imported.js', [season, source, target])
  await child.end()
  const [seconds = 0, cpu = 0, reading = 0, rows = 0, memory = 0] = child.figures
  return { seconds, cpu, reading, rows, memory }
}

/** MiB. */
const sizeOf = (target: string) => statSync(join(target, 'league.sqlite')).size / 2 ** 20

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
