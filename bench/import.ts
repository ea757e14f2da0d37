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

/**
 * What an import of each real season takes: seconds, the same as a multiple of merely reading the files, the database’s size and the process’s largest
 * memory so far.
 *
 * @param folder where `ncaa-mbb-2026` and `cfb-2025` lie
 */
export async function run(folder = data, print: (line: string) => void = console.log): Promise<void> {
  for (const season of seasons) print(await measure(season, join(folder, season.name)))
}

async function measure(season: (typeof seasons)[number], source: string): Promise<string> {
  const target = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  try {
    const begun = performance.now()
    await season.read(source, () => {})
    const reading = (performance.now() - begun) / 1000
    const database = await openDatabase(target)
    const { seconds, rows } = await season.write(database, source, drawProgress(process.stderr))
    await database.close()
    const written = Object.values(rows).reduce((sum, count) => sum + count, 0)
    const size = statSync(join(target, 'league.sqlite')).size / 2 ** 20
    const memory = process.resourceUsage().maxRSS / 1024
    return `${season.name}: ${seconds.toFixed(1)} s, ${(seconds / reading).toFixed(1)} × reading the files; ${written} rows, ${size.toFixed(0)} MiB; memory at most ${memory.toFixed(0)} MiB`
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}
