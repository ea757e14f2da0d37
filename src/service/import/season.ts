import { createHash } from 'node:crypto'
import type { Facts } from '../league/facts.ts'
import { publish } from '../league/publish.ts'
import type { Progress } from '../league/publish.ts'
import { isOfDatabase } from '../store/connection.ts'
import type { Database } from '../store/database.ts'
import { ImportFailed } from './faults.ts'
import type { FolderOptions, ReadTable } from './source-folder.ts'
import type { ImportSummary, Note } from './summary.ts'

export interface ImportOptions extends FolderOptions {
  /** A separate league beside the source’s usual one: a name of letters, digits and dashes. */
  readonly league?: string
  /** True if predictions use closing spreads, for games that have one. */
  readonly closingLines?: boolean
}

/** A season as read from its files. */
export interface SeasonRead {
  readonly facts: Facts
  readonly appearances?: ReadonlyMap<string, number>
  readonly notes: readonly Note[]
  readonly read: readonly ReadTable[]
}

export type ReadSeason = (folder: string, progress: Progress, options: ImportOptions) => Promise<SeasonRead>

/** Reads the files of one season and imports it beside the stored seasons. */
export type Importer = (
  database: Database,
  folder: string,
  progress: Progress,
  signal?: AbortSignal,
  options?: ImportOptions,
) => Promise<ImportSummary>

/**
 * The importer of a source. Its rows are released before the league is written, because both together would
 * need twice the memory.
 */
export const importerOf =
  (source: string, readSeason: ReadSeason): Importer =>
  async (database, folder, progress, signal, options = {}) => {
    const begun = performance.now()
    const { facts, appearances, notes, read } = await readSeason(folder, progress, options)
    const summary = await publish(database, facts, {
      source,
      fingerprint: fingerprintOf(read),
      progress,
      ...(appearances ? { appearances } : {}),
      ...(options.closingLines ? { closingLines: true } : {}),
      ...(signal ? { signal } : {}),
    }).catch((error: unknown) => {
      throw isOfDatabase(error) || isOfPostgres(error) ? asFailure(error) : error
    })
    return { ...summary, read, notes, seconds: (performance.now() - begun) / 1000 }
  }

const isOfPostgres = (error: unknown): error is Error => error instanceof Error && 'severity' in error

/** Replaces the database’s messages, which name tables and statements, by one about the files. */
function asFailure(error: Error): ImportFailed {
  const reason = /constraint|duplicate key/i.test(error.message)
    ? 'two rows of the files have the same key'
    : /full|no space/i.test(error.message)
      ? 'the disk is full'
      : 'the database refused it'
  return new ImportFailed(`The season could not be written: ${reason}. The database is as it was before.`, {
    cause: error,
  })
}

/** A fingerprint of the source’s files. */
const fingerprintOf = (read: readonly ReadTable[]): string =>
  createHash('sha256')
    .update(read.map((table) => table.hash).join(' '))
    .digest('hex')
