import { importCfbfastr } from '../../src/service/import/football.ts'
import { readCfbTables } from '../../src/service/import/football-tables.ts'
import { importNcaaHoops } from '../../src/service/import/basketball.ts'
import { readNcaaTables } from '../../src/service/import/basketball-tables.ts'
import { drawProgress } from '../../src/service/import/progress.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import { measured } from '../child.ts'

/** A process that imports one season and reports what it took. */

const seasons = {
  'ncaa-mbb-2026': { read: readNcaaTables, write: importNcaaHoops },
  'cfb-2025': { read: readCfbTables, write: importCfbfastr },
} as const

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const [name = '', source = '', target = ''] = process.argv.slice(2)
const season = seasons[name as keyof typeof seasons] // the benchmark asks for no other

const begun = cpuSeconds()
await season.read(source, () => {})
const reading = cpuSeconds() - begun
const database = await openDatabase(target)
const { seconds, rows } = await season.write(database, source, drawProgress(process.stderr))
const cpu = cpuSeconds() - begun - reading
await database.close()
const written = Object.values(rows).reduce((sum, count) => sum + count, 0)
measured([seconds, cpu, reading, written, process.resourceUsage().maxRSS / 1024])
