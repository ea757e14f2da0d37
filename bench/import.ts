import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importCfbfastr } from '../src/service/import/cfb.ts'
import { readCfbTables } from '../src/service/import/cfbtables.ts'
import { importNcaaHoops } from '../src/service/import/ncaa.ts'
import { readNcaaTables } from '../src/service/import/ncaatables.ts'
import { drawProgress } from '../src/service/import/progress.ts'
import { openDatabase } from '../src/service/store/database.ts'

const data = join(import.meta.dirname, '../../shared/data')

const seasons = [
  { name: 'ncaa-mbb-2026', read: readNcaaTables, write: importNcaaHoops },
  { name: 'cfb-2025', read: readCfbTables, write: importCfbfastr },
] as const

/** Upper bounds of an import of a whole season. */
const limits = { seconds: 60, memory: 1024 }

/**
 * Measures the import of each real season: seconds, also as a multiple of reading the files alone, the
 * database’s size and the largest memory of the process.
 *
 * @param folder the folder of `ncaa-mbb-2026` and `cfb-2025`
 * @returns whether each took less than a minute and a gibibyte
 */
export async function run(folder = data, print: (line: string) => void = console.log): Promise<boolean> {
  let good = true
  for (const season of seasons) {
    const figures = await measure(season, join(folder, season.name))
    print(lineOf(season.name, figures))
    good &&= figures.seconds < limits.seconds && figures.memory < limits.memory
  }
  return good
}

interface Figures {
  readonly seconds: number
  /** Seconds for reading the files alone. */
  readonly reading: number
  readonly rows: number
  /** MiB. */
  readonly size: number
  /** MiB. */
  readonly memory: number
}

const lineOf = (name: string, { seconds, reading, rows, size, memory }: Figures) =>
  `${name}: ${seconds.toFixed(1)} s, ${(seconds / reading).toFixed(1)} × reading the files; ${rows} rows, ${size.toFixed(0)} MiB; memory at most ${memory.toFixed(0)} MiB`

async function measure(season: (typeof seasons)[number], source: string): Promise<Figures> {
  const target = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  try {
    const begun = performance.now()
    await season.read(source, () => {})
    const reading = (performance.now() - begun) / 1000
    const database = await openDatabase(target)
    const { seconds, rows } = await season.write(database, source, drawProgress(process.stderr))
    await database.close()
    return {
      seconds,
      reading,
      rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
      size: statSync(join(target, 'league.sqlite')).size / 2 ** 20,
      memory: process.resourceUsage().maxRSS / 1024,
    }
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}
