import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addSampleKeys } from './keys/keys.ts'
import type { Clock } from './keys/keys.ts'
import { openSampleLeague } from './sample/create.ts'
import { liveLeague } from './sample/live.ts'
import { checkPort, startService } from './service.ts'
import type { Service } from './service.ts'
import { fileOf, isOfDatabase, isPassing } from './store/connection.ts'
import { openDatabase, reasonOf, remedyOf } from './store/database.ts'
import type { Database } from './store/database.ts'
import { exclusively } from './store/lock.ts'
import { analyze } from './store/planner.ts'
import type { Waits } from './store/postgres.ts'
import { sourceOf } from './store/source.ts'
import type { Source } from './store/source.ts'
import { DatabaseUnavailableError } from './store/unavailable.ts'

export interface ServiceSettings {
  readonly host: string
  readonly port: number
  /** The PostgreSQL for everything; by default, databases are embedded in `dataDir`. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
}

export interface ServeOptions {
  /** Serves the sample league even if something was imported. */
  readonly sample?: boolean
  /** Milliseconds since 1970, UTC. */
  readonly clock?: Clock
  /** Called before the sample league is created, which takes some seconds. */
  readonly onCreate?: () => void
  /** Time limits for PostgreSQL. */
  readonly waits?: Waits
}

export interface Served extends Service {
  readonly source: Source
  readonly database: Database
}

/** The database holds other data than requested. The message is one line for the operator. */
export class WrongSourceError extends Error {
  override readonly name = 'WrongSourceError'
}

/** The file of imported seasons. */
export const leagueFolder = ({ dataDir }: ServiceSettings) => join(dataDir, 'league')

const sampleFolder = ({ dataDir }: ServiceSettings) => join(dataDir, 'sample')

/**
 * Serves the imported seasons, or else the sample league, which is created at the first start and follows the
 * clock.
 */
export async function serve(settings: ServiceSettings, options: ServeOptions = {}): Promise<Served> {
  const { clock = Date.now, sample = false, onCreate, waits } = options
  await checkPort(settings.host, settings.port)
  const database = await openSource(settings, sample, waits)
  const closing: (() => Promise<void>)[] = [() => database.close()]
  const close = async () => {
    for (const end of closing) await end()
  }
  try {
    const source = (await sourceOf(database)) === 'imported' ? 'imported' : 'sample'
    if (source === 'sample') closing.unshift(await startSample(database, clock, onCreate))
    const service = await startService({ database, host: settings.host, port: settings.port, clock })
    closing.unshift(() => service.close())
    return { url: service.url, close, database, source }
  } catch (error) {
    await close()
    throw failureOf(error, settings)
  }
}

/** The message of a failed start: one line if the database failed. */
function failureOf(error: unknown, { dataDir }: ServiceSettings): unknown {
  if (isOfDatabase(error)) {
    const file = fileOf(error)
    // The folder has the ledger, too, so nothing is to be deleted unless the file is known.
    const told = file === undefined ? `A database in ${dataDir}` : `The database ${file}`
    const remedy = file === undefined ? '' : remedyOf(error)
    return new DatabaseUnavailableError(`${told} failed: ${error.message}.${remedy}`, { cause: error })
  }
  if (!isPassing(error)) return error
  return new DatabaseUnavailableError(`The PostgreSQL of DATABASE_URL failed: ${reasonOf(error)}.`, {
    cause: error,
  })
}

async function openSource(
  settings: ServiceSettings,
  sample: boolean,
  waits: Waits | undefined,
): Promise<Database> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl === undefined) {
    const imported = sample ? undefined : await openImported(settings)
    return imported ?? openDatabase(sampleFolder(settings), dataDir)
  }
  const database = await openDatabase(databaseUrl, databaseUrl, waits && { waits })
  if (!sample || (await sourceOf(database)) !== 'imported') return database
  await database.close()
  throw new WrongSourceError('The database holds imported seasons: the sample league needs one of its own.')
}

async function openImported(settings: ServiceSettings): Promise<Database | undefined> {
  if (!existsSync(leagueFolder(settings))) return undefined
  const database = await openDatabase(leagueFolder(settings), settings.dataDir)
  if ((await sourceOf(database)) === 'imported') return database
  await database.close()
  return undefined
}

/** @returns a function that stops it */
async function startSample(
  database: Database,
  clock: Clock,
  onCreate?: () => void,
): Promise<() => Promise<void>> {
  const created = await exclusively(database, () => openSampleLeague(database, clock, onCreate))
  if (created) await analyze(database)
  await addSampleKeys(database.accounts, clock)
  const live = liveLeague(database, clock, { onError: fellBehind })
  await live.advance()
  return () => live.stop()
}

const fellBehind = (error: unknown) =>
  console.error(
    `The sample league fell behind the clock: ${error instanceof Error ? error.message : String(error)}`,
  )
