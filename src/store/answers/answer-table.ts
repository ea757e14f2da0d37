import { randomBytes } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import type LibsqlDatabase from 'libsql'
import { openWhole } from '../../sqlite-file.ts'
import { keyHasher } from '../../money/key-hash.ts'
import { trialForm } from '../../account/answer-store.ts'
import { KnownNames } from './known-names.ts'

/** Milliseconds to wait while another process writes. */
const busyMs = 200

/** Milliseconds between two looks whether another process has written. */
const lookEvery = 500

const schema = `
  create table if not exists meta (name text primary key, value text not null) without rowid;
  create table if not exists answers (
    account text not null, form text not null, bought_at real not null, size integer not null, body blob not null,
    primary key (account, form)
  );
  create index if not exists answers_by_age on answers (bought_at);
`

/** An answer in the file. */
export interface Row {
  readonly account: string
  readonly form: string
  readonly boughtAt: number
  readonly body: Buffer
}

/** The limits of a file. */
export interface Bounds {
  /** Answers bought before this time are deleted. */
  readonly oldest: number
  /** Answers bought after this time were written with a wrong clock, and may be replaced by any other. */
  readonly newest: number
  /** Maximum bytes. */
  readonly most: number
}

type Database = InstanceType<typeof LibsqlDatabase>

/** The table of answers in a file. Errors of libsql are thrown as they are. */
export class AnswerTable {
  readonly secret: string
  /** The hash of a key, by the file's own secret. */
  readonly nameOf: (apiKey: string) => string
  readonly #database: Database
  readonly #statements: ReturnType<typeof statementsOf>
  /** The accounts that have answers here, so that a new key, which has none, costs no query. */
  readonly #accounts = new KnownNames()
  /** When it was last looked whether another process has written, and what the file said then. */
  #lookedAt = Number.NEGATIVE_INFINITY
  #version = Number.NaN
  #size: number

  /** `secret` is that of the file which this one replaces. */
  constructor(file: string, secret = randomBytes(32).toString('base64url')) {
    this.#database = openWhole(file, busyMs, (created) => created.exec(schema))
    try {
      chmodSync(file, 0o600)
      this.#database.exec('pragma journal_mode = wal')
      // A crash of the machine may lose the last answers. They are then bought again.
      this.#database.exec('pragma synchronous = off')
      this.#database.exec(schema)
      this.#statements = statementsOf(this.#database)
      this.#statements.putSecret.run(secret)
      this.secret = (this.#statements.secret.get() as { readonly value: string }).value // just put, unless it was there
      this.nameOf = keyHasher(this.secret)
      this.#size = this.#measured()
      this.#learnAccounts()
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /**
   * The answers of an account, newest first, up to so many bytes, and whether there are more. What is known of
   * its plan comes before them, because any of its rows may be found later.
   */
  newestOf(account: string, { oldest }: Bounds, mostBytes: number) {
    const bodies: Buffer[] = []
    // Most keys that come for the first time are new.
    if (!this.#isKnown(account)) return { bodies, hasMore: false }
    let left = mostBytes
    for (const row of this.#statements.of.iterate(account, oldest)) {
      const { size, body } = row as { readonly size: number; readonly body: ArrayBuffer } // the columns named
      if ((left -= size) < 0) return { bodies, hasMore: true }
      bodies.push(Buffer.from(body))
    }
    return { bodies, hasMore: false }
  }

  /** The answer of an account and a form; undefined if there is none, or it is too old. */
  one(account: string, form: string, { oldest }: Bounds): Buffer | undefined {
    if (!this.#isKnown(account)) return undefined
    const row = this.#statements.body.get(account, form, oldest) as { readonly body: ArrayBuffer } | undefined // the column named
    return row && Buffer.from(row.body)
  }

  /** Stores all rows or none, and deletes what exceeds the limits. */
  put(rows: readonly Row[], bounds: Bounds): void {
    this.#statements.begin.run()
    try {
      for (const row of rows) this.#put(row, bounds)
      this.#prune(bounds)
      this.#statements.commit.run()
    } catch (error) {
      if (this.#database.inTransaction) this.#statements.rollback.run()
      throw error
    }
  }

  close(): void {
    this.#database.exec('pragma wal_checkpoint(truncate)')
    this.#database.close()
  }

  /** Closes a file that may be damaged. */
  abandon(): void {
    this.#database.close()
  }

  #put({ account, form, boughtAt, body }: Row, { newest }: Bounds): void {
    const before = this.#before(account, form)
    if (before && before.bought_at <= newest && before.bought_at > boughtAt) return
    const size = body.length + form.length
    this.#statements.put.run(account, form, boughtAt, size, body)
    this.#size += size - (before?.size ?? 0)
    this.#accounts.add(account)
  }

  #isKnown(account: string): boolean {
    if (performance.now() - this.#lookedAt > lookEvery) this.#learnAccounts()
    return this.#accounts.has(account)
  }

  /** Reads the accounts, if another process has written: while an instance drains, the next one has begun. */
  #learnAccounts(): void {
    this.#lookedAt = performance.now()
    const { data_version: version } = this.#statements.version.get() as { readonly data_version: number } // its column
    if (version === this.#version) return
    this.#version = version
    for (const row of this.#statements.accounts.iterate())
      this.#accounts.add((row as { readonly account: string }).account) // the column named
  }

  #before(account: string, form: string) {
    if (!this.#isKnown(account)) return undefined
    return this.#statements.one.get(account, form) as
      | { readonly size: number; readonly bought_at: number }
      | undefined // the columns named
  }

  /** Deletes answers that are too old, and the oldest ones above the maximum size. */
  #prune({ oldest, most }: Bounds): void {
    const { changes } = this.#statements.dropOld.run(oldest)
    if (changes > 0) this.#size = this.#measured()
    if (this.#size <= most) return
    const byAge = this.#statements.byAge.all() as { readonly rowid: number; readonly size: number }[] // the columns named
    for (const { rowid, size } of byAge) {
      if (this.#size <= 0.9 * most) break
      this.#statements.drop.run(rowid)
      this.#size -= size
    }
  }

  #measured(): number {
    return (this.#statements.size.get() as { readonly size: number }).size // the column named
  }
}

export function removeTable(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}

const statementsOf = (database: Database) => ({
  begin: database.prepare('begin immediate'),
  commit: database.prepare('commit'),
  rollback: database.prepare('rollback'),
  of: database.prepare(
    `select size, body from answers where account = ? and bought_at > ? order by form = '${trialForm}' desc, bought_at desc`,
  ),
  version: database.prepare('pragma data_version'),
  accounts: database.prepare('select distinct account from answers'),
  body: database.prepare('select body from answers where account = ? and form = ? and bought_at > ?'),
  one: database.prepare('select size, bought_at from answers where account = ? and form = ?'),
  put: database.prepare(
    'insert or replace into answers (account, form, bought_at, size, body) values (?, ?, ?, ?, ?)',
  ),
  dropOld: database.prepare('delete from answers where bought_at < ?'),
  byAge: database.prepare('select rowid, size from answers order by bought_at'),
  drop: database.prepare('delete from answers where rowid = ?'),
  size: database.prepare('select coalesce(sum(size), 0) as size from answers'),
  putSecret: database.prepare(`insert into meta (name, value) values ('secret', ?) on conflict do nothing`),
  secret: database.prepare(`select value from meta where name = 'secret'`),
})
