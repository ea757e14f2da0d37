import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type LibsqlDatabase from 'libsql'
import { checkTables, openWhole } from '../../sqlite-file.ts'
import { closeKept, noteFile, rewritten } from './deleted-file.ts'
import type { Change } from '../ledger-store.ts'
import type { OwnedSums, Sums, Whose } from '../shared-ledger.ts'
import { usualWaits } from './sqlite.ts'

/**
 * Changes of one process that are written together. Batches are numbered from 1 without gaps, so that none is
 * applied twice.
 */
export interface Batch {
  readonly process: string
  readonly number: number
  readonly changes: readonly Change[]
}

/** The numbers of processes' last batches that were sent. */
export type Sent = ReadonlyMap<string, number>

/** Stores changes that the shared ledger has not confirmed, and its last known state. */
export interface Outbox {
  /** Whether waiting changes survive the process. */
  readonly isDurable: boolean
  /** Throws if it cannot be written. */
  put(batch: Batch): void
  /** The oldest waiting batch, except those of these processes, and those up to a process's number in `sent`. */
  first(without: ReadonlySet<string>, sent?: Sent): Batch | undefined
  /** All waiting batches in order. Write nothing before the last one. */
  waiting(): Iterable<Batch>
  /** Removes a process's batches up to this one. Throws if they cannot be removed. */
  remove(last: Pick<Batch, 'process' | 'number'>): void
  readonly isEmpty: boolean
  /** A value stored beside the batches. */
  note(name: string): string | undefined
  setNote(name: string, value: string): void
  /** The last known sums of all instances, those that were replaced last at the end. */
  sums(): readonly OwnedSums[]
  /** Replaces the sums of these owners. Of too many, the oldest are dropped. Throws if it cannot be written. */
  setSums(sums: readonly OwnedSums[]): void
  close(): void
}

const idOf = ({ process, number }: Batch) => `${process} ${number}`

export class MemoryOutbox implements Outbox {
  readonly isDurable = false
  readonly #batches = new Map<string, Batch>()
  readonly #notes = new Map<string, string>()

  put(batch: Batch): void {
    this.#batches.set(idOf(batch), batch)
  }

  first(without: ReadonlySet<string>, sent: Sent = new Map()): Batch | undefined {
    for (const batch of this.#batches.values())
      if (!without.has(batch.process) && batch.number > (sent.get(batch.process) ?? 0)) return batch
    return undefined
  }

  waiting(): Iterable<Batch> {
    return this.#batches.values()
  }

  remove({ process, number }: Pick<Batch, 'process' | 'number'>): void {
    for (const [id, one] of this.#batches) {
      if (one.process !== process) continue
      if (one.number > number) break
      this.#batches.delete(id)
    }
  }

  get isEmpty(): boolean {
    return this.#batches.size === 0
  }

  note(name: string): string | undefined {
    return this.#notes.get(name)
  }

  setNote(name: string, value: string): void {
    this.#notes.set(name, value)
  }

  /** None: the next process starts without them. */
  sums(): readonly OwnedSums[] {
    return []
  }

  setSums(): void {}

  close(): void {}
}

export const OUTBOX_FILE = 'ledger-outbox.sqlite'

/** The note of the secret that all instances share. */
export const SECRET_NOTE = 'secret'

/** The secret noted in a folder's outbox; undefined if there is none or it cannot be read. */
export function secretIn(folder: string): string | undefined {
  if (!existsSync(join(folder, OUTBOX_FILE))) return undefined
  try {
    const outbox = new OutboxFile(folder)
    try {
      return outbox.note(SECRET_NOTE)
    } finally {
      outbox.close()
    }
  } catch {
    return undefined
  }
}

/** Maximum sums kept, of all months. */
const mostSums = 10_000

type Database = InstanceType<typeof LibsqlDatabase>

const schema = `
  create table if not exists batch (
    position integer primary key, process text not null, number integer not null, changes text not null
  );
  create table if not exists note (name text primary key, value text not null) without rowid;
  create table if not exists known_sums (
    position integer primary key, month text not null, kind text not null, name text not null, value text not null,
    unique (month, kind, name)
  );
`

/** Throws if the file cannot be written, or is damaged. */
function openedAt(file: string): Database {
  mkdirSync(dirname(file), { recursive: true })
  const database = openWhole(file, usualWaits.busyMs, (created) => created.exec(schema))
  try {
    chmodSync(file, 0o600)
    checkTables(database)
    database.exec(`pragma journal_mode = wal; pragma synchronous = normal; ${schema}`)
    noteFile(database, file)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * An outbox in a SQLite file. Batches that a process leaves are sent by the next process that opens the
 * folder. If the file is deleted while it is open, a new one is written with all that it had.
 */
export class OutboxFile implements Outbox {
  readonly isDurable = true
  readonly #file: string
  #database: Database
  #statements: ReturnType<typeof statementsOf>

  /** Throws if the folder or the file cannot be written. */
  constructor(folder: string) {
    this.#file = join(folder, OUTBOX_FILE)
    this.#database = openedAt(this.#file)
    this.#statements = statementsOf(this.#database)
  }

  put({ process, number, changes }: Batch): void {
    this.#look()
    this.#statements.put.run(process, number, JSON.stringify(changes))
  }

  /** Writes a deleted file again. Throws if it cannot be written. */
  #look(): void {
    const database = rewritten(this.#database, this.#file, openedAt)
    if (!database) return
    this.#database = database
    this.#statements = statementsOf(database)
  }

  first(without: ReadonlySet<string>, sent: Sent = new Map()): Batch | undefined {
    const values = [JSON.stringify([...without]), JSON.stringify(Object.fromEntries(sent))]
    const row = this.#statements.first.get(...values) as Row | undefined // the columns of the table
    return row && batchOf(row)
  }

  *waiting(): Iterable<Batch> {
    for (const row of this.#statements.waiting.iterate()) yield batchOf(row as Row) // the columns of the table
  }

  remove({ process, number }: Pick<Batch, 'process' | 'number'>): void {
    this.#statements.remove.run(process, number)
  }

  get isEmpty(): boolean {
    return this.#statements.any.get() === undefined
  }

  note(name: string): string | undefined {
    return (this.#statements.note.get(name) as { value: string } | undefined)?.value // the column of the table
  }

  setNote(name: string, value: string): void {
    this.#look()
    this.#statements.setNote.run(name, value)
  }

  sums(): readonly OwnedSums[] {
    const rows = this.#statements.sums.all() as (Whose & { readonly value: string })[] // the columns of the table
    return rows.map(({ value, ...whose }) => [whose, JSON.parse(value) as Sums]) // written by setSums()
  }

  setSums(sums: readonly OwnedSums[]): void {
    this.#look()
    const { begin, setSums, dropSums, commit, rollback } = this.#statements
    begin.run()
    try {
      for (const [{ month, kind, name }, all] of sums) setSums.run(month, kind, name, JSON.stringify(all))
      dropSums.run(mostSums)
      commit.run()
    } catch (error) {
      // A full disk has already ended it.
      if (this.#database.inTransaction) rollback.run()
      throw error
    }
  }

  close(): void {
    closeKept(this.#database, this.#file)
  }
}

interface Row {
  readonly process: string
  readonly number: number
  readonly changes: string
}

const batchOf = (row: Row): Batch => ({ ...row, changes: JSON.parse(row.changes) as readonly Change[] }) // written by put()

const statementsOf = (database: Database) => ({
  begin: database.prepare('begin immediate'),
  commit: database.prepare('commit'),
  rollback: database.prepare('rollback'),
  put: database.prepare('insert into batch (process, number, changes) values (?, ?, ?)'),
  first: database.prepare(
    `select process, number, changes from batch where process not in (select value from json_each(?))
     and number > coalesce((select value from json_each(?) where key = process), 0) order by position limit 1`,
  ),
  waiting: database.prepare('select process, number, changes from batch order by position'),
  remove: database.prepare('delete from batch where process = ? and number <= ?'),
  any: database.prepare('select 1 from batch limit 1'),
  note: database.prepare('select value from note where name = ?'),
  setNote: database.prepare(
    'insert into note (name, value) values (?, ?) on conflict do update set value = excluded.value',
  ),
  sums: database.prepare('select month, kind, name, value from known_sums order by position'),
  // A replaced row gets a new position, the last one.
  setSums: database.prepare(
    'insert or replace into known_sums (month, kind, name, value) values (?, ?, ?, ?)',
  ),
  dropSums: database.prepare(
    'delete from known_sums where position <= (select position from known_sums order by position desc limit 1 offset ?)',
  ),
})
