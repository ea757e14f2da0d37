import { randomBytes } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import LibsqlDatabase from 'libsql'
import { keyNamer } from '../money/key-name.ts'

/** How long another process's write is waited for, in milliseconds. */
const busyMs = 200

const schema = `
  create table if not exists meta (name text primary key, value text not null) without rowid;
  create table if not exists answers (
    account text not null, form text not null, bought_at real not null, size integer not null, body blob not null,
    primary key (account, form)
  );
  create index if not exists answers_by_age on answers (bought_at);
`

/** An answer as it stands in the file. */
export interface Row {
  readonly account: string
  readonly form: string
  readonly boughtAt: number
  readonly body: Buffer
}

/** What a file may have. */
export interface Bounds {
  /** What was bought before is of no use. */
  readonly oldest: number
  /** What was bought after is of a clock that was wrong: anything takes its place. */
  readonly newest: number
  /** Bytes. */
  readonly most: number
}

type Database = InstanceType<typeof LibsqlDatabase>

/** The table of a file of answers. What libsql throws is passed on. */
export class AnswerTable {
  readonly secret: string
  /** The name of a key, by the file's own secret. */
  readonly nameOf: (apiKey: string) => string
  readonly #database: Database
  readonly #statements: ReturnType<typeof statementsOf>
  #size: number

  /** `secret` is that of a file which this one takes the place of. */
  constructor(file: string, secret = randomBytes(32).toString('base64url')) {
    this.#database = new LibsqlDatabase(file, { timeout: busyMs })
    try {
      chmodSync(file, 0o600)
      this.#database.exec('pragma journal_mode = wal')
      // A crash of the machine may lose the last answers, which are bought again.
      this.#database.exec('pragma synchronous = off')
      this.#database.exec(schema)
      this.#statements = statementsOf(this.#database)
      this.#statements.putSecret.run(secret)
      this.secret = (this.#statements.secret.get() as { readonly value: string }).value // just put, unless it was there
      this.nameOf = keyNamer(this.secret)
      this.#size = this.#measured()
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** The answers of an account, newest first, as many as have that many bytes. */
  newestOf(account: string, { oldest }: Bounds, mostBytes: number): Buffer[] {
    const bodies: Buffer[] = []
    let left = mostBytes
    for (const row of this.#statements.of.iterate(account, oldest)) {
      const { size, body } = row as { readonly size: number; readonly body: ArrayBuffer } // the columns named
      if ((left -= size) < 0) break
      bodies.push(Buffer.from(body))
    }
    return bodies
  }

  /** The answer of an account under a form; undefined where there is none of any use. */
  one(account: string, form: string, { oldest }: Bounds): Buffer | undefined {
    const row = this.#statements.body.get(account, form, oldest) as { readonly body: ArrayBuffer } | undefined // the column named
    return row && Buffer.from(row.body)
  }

  /** Puts all or none, and drops what is beyond the bounds. */
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

  /** Closes what cannot be trusted any more. */
  abandon(): void {
    this.#database.close()
  }

  #put({ account, form, boughtAt, body }: Row, { newest }: Bounds): void {
    const before = this.#statements.one.get(account, form) as
      | { readonly size: number; readonly bought_at: number }
      | undefined // the columns named
    if (before && before.bought_at <= newest && before.bought_at > boughtAt) return
    const size = body.length + form.length
    this.#statements.put.run(account, form, boughtAt, size, body)
    this.#size += size - (before?.size ?? 0)
  }

  /** Drops what is of no use any more, and the oldest of what is too much. */
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

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
export const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))
export const isDamaged = (error: unknown) => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))

const statementsOf = (database: Database) => ({
  begin: database.prepare('begin immediate'),
  commit: database.prepare('commit'),
  rollback: database.prepare('rollback'),
  of: database.prepare(
    'select size, body from answers where account = ? and bought_at > ? order by bought_at desc',
  ),
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
