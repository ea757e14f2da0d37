import { openDatabase } from '../../src/service/store/database.ts'
import type { Database } from '../../src/service/store/database.ts'
import { addKey } from '../../src/service/keys/keys.ts'
import { planNames } from '../../src/service/keys/plans.ts'
import type { PlanName } from '../../src/service/keys/plans.ts'
import { startService } from '../../src/service/service.ts'
import { clientOf } from './client.ts'
import type { Client } from './client.ts'
import type { Provided } from './databases.ts'
import { fillLeague } from './league.ts'

export interface Running {
  readonly url: string
  readonly database: Database
  /** What the service would have written to its log. */
  readonly failures: unknown[]
  /** Sets the service's time. */
  setTime(iso: string): void
  client(key?: string): Client
  as(plan: PlanName): Client
  newKey(plan: PlanName): Promise<string>
  stop(): Promise<void>
}

/** The handmade league, served over HTTP. */
export async function runLeague(provided: Provided): Promise<Running> {
  const database = await openDatabase(provided.location)
  await fillLeague(database)
  let now = Date.parse('2026-01-13T12:00:00.000Z')
  const clock = () => now
  const failures: unknown[] = []
  const service = await startService({ database, clock, report: (error) => failures.push(error) })
  const newKey = async (plan: PlanName) => (await addKey(database.accounts, clock, plan)).key
  const keys = new Map<PlanName, string>()
  for (const plan of planNames) keys.set(plan, await newKey(plan))
  return {
    url: service.url,
    database,
    failures,
    setTime: (iso) => {
      now = Date.parse(iso)
    },
    client: (key) => clientOf(service.url, key),
    as: (plan) => clientOf(service.url, keys.get(plan)),
    newKey,
    stop: async () => {
      await service.close()
      await database.close()
      await provided.dispose()
    },
  }
}
