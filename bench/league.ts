import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importCfbfastr } from '../src/service/import/football.ts'
import { importNcaaHoops } from '../src/service/import/basketball.ts'
import { drawProgress } from '../src/service/import/progress.ts'
import { addKey } from '../src/service/keys/keys.ts'
import { createSampleLeague } from '../src/service/sample/create.ts'
import { startService } from '../src/service/service.ts'
import { openDatabase } from '../src/service/store/database.ts'
import type { Database } from '../src/service/store/database.ts'
import { analyze } from '../src/service/store/planner.ts'

/** The time of the sample league: on a day with games over, under way and to come. */
export const sampleNow = Date.parse('2026-02-14T20:00:00.000Z')

/** A running service over one database, with a key for all operations. */
export interface League {
  /** The base address, `/v1` included. */
  readonly url: string
  readonly apiKey: string
  readonly clock: () => number
  close(): Promise<void>
}

type Fill = (database: Database) => Promise<unknown>

/** The sample league at `sampleNow`. */
export const serveSample = (): Promise<League> =>
  serveFilled((database) => createSampleLeague(database, () => sampleNow))

/** A real season, from its public files in `folder`. */
export const serveSeason = (source: 'ncaa-mbb-2026' | 'cfb-2025', folder: string): Promise<League> =>
  serveFilled((database) => importers[source](database, join(folder, source), drawProgress(process.stderr)))

const importers = { 'ncaa-mbb-2026': importNcaaHoops, 'cfb-2025': importCfbfastr }

async function serveFilled(fill: Fill): Promise<League> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  const database = await openDatabase(folder)
  await fill(database)
  await analyze(database)
  const league = await serveDatabase(database, () => sampleNow)
  return {
    ...league,
    async close() {
      await league.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Serves a database, and closes it at the end. */
export async function serveDatabase(database: Database, clock: () => number): Promise<League> {
  const { key: apiKey } = await addKey(database.accounts, clock, 'paid')
  const service = await startService({ database, clock })
  return {
    url: service.url,
    apiKey,
    clock,
    async close() {
      await service.close()
      await database.close()
    },
  }
}
