import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importCfbfastr } from '../src/service/import/football.ts'
import { readCfbTables } from '../src/service/import/football-tables.ts'
import { importNcaaHoops } from '../src/service/import/basketball.ts'
import { readNcaaTables } from '../src/service/import/basketball-tables.ts'
import { drawProgress } from '../src/service/import/progress.ts'
import { openDatabase } from '../src/service/store/database.ts'
import { writeYearBefore } from './import/yearbefore.ts'

const data = join(import.meta.dirname, '../../shared/data')

const seasons = [
  { name: 'ncaa-mbb-2026', read: readNcaaTables, write: importNcaaHoops },
  { name: 'cfb-2025', read: readCfbTables, write: importCfbfastr },
] as const

/** Upper bounds of an import of a whole season: seconds, and MiB. */
const limits = { seconds: 60, memory: 1024 }

/**
 * Measures the import of each real season: seconds, those of the processor, also as a multiple of reading
 * the files alone, the database’s size and the largest memory of the process so far.
 *
 * @param folder the folder of `ncaa-mbb-2026` and `cfb-2025`
 * @returns whether each took less than a minute of the processor and a gibibyte, and three in one database a
 *   gibibyte
 */
export async function run(folder = data, print: (line: string) => void = console.log): Promise<boolean> {
  let good = true
  for (const season of seasons) {
    const figures = await measure(season, join(folder, season.name))
    print(lineOf(season.name, figures))
    good &&= figures.seconds < limits.seconds && figures.memory < limits.memory
  }
  return (await three(folder, print)) && good
}

/**
 * Imports three seasons into one database: both real ones, then basketball's as if it were a year earlier.
 * The earlier season comes last, so the later one is computed again from its ratings.
 */
async function three(folder: string, print: (line: string) => void): Promise<boolean> {
  const [target, before] = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'statline-bench-'))) as [
    string,
    string,
  ] // two of two
  try {
    await writeYearBefore(join(folder, 'ncaa-mbb-2026'), before)
    const database = await openDatabase(target)
    const [begun, used] = [performance.now(), cpuSeconds()]
    await importNcaaHoops(database, join(folder, 'ncaa-mbb-2026'), drawProgress(process.stderr))
    await importCfbfastr(database, join(folder, 'cfb-2025'), drawProgress(process.stderr))
    await importNcaaHoops(database, before, drawProgress(process.stderr))
    const seconds = (performance.now() - begun) / 1000
    const cpu = cpuSeconds() - used
    await database.close()
    const size = statSync(join(target, 'league.sqlite')).size / 2 ** 20
    const memory = process.resourceUsage().maxRSS / 1024
    print(
      `three seasons in one database: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} of the processor; ${size.toFixed(0)} MiB; memory at most ${memory.toFixed(0)} MiB`,
    )
    return memory < limits.memory
  } finally {
    for (const place of [target, before]) rmSync(place, { recursive: true, force: true })
  }
}

interface Figures {
  readonly seconds: number
  /** Seconds of the processor, and those for reading the files alone. */
  readonly cpu: number
  readonly reading: number
  readonly rows: number
  /** MiB. */
  readonly size: number
  /** MiB. */
  readonly memory: number
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const lineOf = (name: string, { seconds, cpu, reading, rows, size, memory }: Figures) =>
  `${name}: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} of the processor, ${(cpu / reading).toFixed(1)} × reading the files; ${rows} rows, ${size.toFixed(0)} MiB; memory at most ${memory.toFixed(0)} MiB`

async function measure(season: (typeof seasons)[number], source: string): Promise<Figures> {
  const target = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  try {
    const begun = cpuSeconds()
    await season.read(source, () => {})
    const read = cpuSeconds()
    const database = await openDatabase(target)
    const { seconds, rows } = await season.write(database, source, drawProgress(process.stderr))
    const cpu = cpuSeconds() - read
    await database.close()
    return {
      seconds,
      cpu,
      reading: read - begun,
      rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
      size: statSync(join(target, 'league.sqlite')).size / 2 ** 20,
      memory: process.resourceUsage().maxRSS / 1024,
    }
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}
