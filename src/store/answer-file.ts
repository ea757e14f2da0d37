import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { keyNamer } from '../money/key-name.ts'
import { formOf } from '../upstream/answer-store.ts'
import type { AccountStore, AnswerStore, Bought } from '../upstream/answer-store.ts'
import { clockDifference } from '../upstream/replay.ts'
import { pack, unpack } from './packing.ts'

export const ANSWER_FILE = 'answers.sqlite'

const mebibyte = 1_048_576

/** Bytes of answers that the file may have. The oldest go first. */
const mostKept = 256 * mebibyte
/** Compressed bytes of one account that are read when its key first comes. In memory they take some forty times as many. */
const mostRestored = 8 * mebibyte
/** Answers that wait to be written. */
const mostWaiting = 10_000
/** Milliseconds from the first answer that waits to the write. A process that is killed loses what was bought in that time. */
const writeEvery = 500
const busyMs = 200

const schema = `
  create table if not exists meta (name text primary key, value text not null) without rowid;
  create table if not exists answers (
    account text not null, form text not null, bought_at real not null, size integer not null, body blob not null,
    primary key (account, form)
  );
  create index if not exists answers_by_age on answers (bought_at);
`

export interface AnswerFileOptions {
  readonly clock: () => number
  /** How long an answer is of any use, in milliseconds. */
  readonly keptFor: number
  /** Tells services apart: what one has answered is no answer of another. */
  readonly service: string
  /** Told once each time writing begins to fail, and where a damaged file was replaced by an empty one. */
  readonly warn: (message: string) => void
  readonly mostKept?: number
}

interface Waiting {
  readonly account: string
  readonly form: string
  readonly bought: Bought
}

type Database = InstanceType<typeof LibsqlDatabase>

/** Keeps answers in a file of the embedded database. They are written in the background, in batches. */
export class AnswerFile implements AnswerStore {
  readonly #file: string
  readonly #options: AnswerFileOptions
  #database: Database
  #statements: ReturnType<typeof statementsOf>
  #nameOf: (apiKey: string) => string
  #size = 0
  #waiting = new Map<string, Waiting>()
  #writing: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #isFailing = false

  /** Throws where the folder cannot be written. A file that is damaged is replaced by an empty one. */
  constructor(folder: string, options: AnswerFileOptions) {
    this.#options = options
    mkdirSync(folder, { recursive: true })
    this.#file = join(folder, ANSWER_FILE)
    ;({ database: this.#database, statements: this.#statements, nameOf: this.#nameOf } = this.#opened())
  }

  open(apiKey: string, replay: (bought: readonly Bought[]) => void): AccountStore {
    const account = this.#nameOf(`${this.#options.service} ${apiKey}`)
    const known = this.#restore(account)
    if (known.length > 0) replay(known)
    return { keep: (bought) => this.#keep(account, bought) }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
    try {
      this.#database.exec('pragma wal_checkpoint(truncate)')
      this.#database.close()
    } catch {
      // Damaged, or closed by a failure that was told of.
    }
  }

  /** What is kept of an account, oldest first: the newest of it, where it is too much. */
  #restore(account: string): Bought[] {
    const waiting = [...this.#waiting.values()].filter((one) => one.account === account)
    const known: Bought[] = []
    try {
      let left = mostRestored
      for (const row of this.#statements.of.iterate(account, this.#oldest)) {
        const { size, body } = row as { readonly size: number; readonly body: ArrayBuffer } // the columns named
        if ((left -= size) < 0) break
        known.push(...[unpack(Buffer.from(body))].filter((one) => one !== null))
      }
    } catch (error) {
      if (!isBusy(error)) this.#replace(error)
    }
    return [...known.toReversed(), ...waiting.map(({ bought }) => bought)]
  }

  get #oldest(): number {
    return this.#options.clock() - this.#options.keptFor
  }

  #keep(account: string, bought: Bought): void {
    const form = formOf(bought)
    const name = `${account} ${form}`
    this.#waiting.delete(name)
    this.#waiting.set(name, { account, form, bought })
    const [first] = this.#waiting.keys()
    if (first !== undefined && this.#waiting.size > mostWaiting) this.#waiting.delete(first)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#write().finally(() => (this.#writing = null))
    }, writeEvery).unref()
  }

  /** Writes what waits, in one transaction. */
  async #write(): Promise<void> {
    const waiting = [...this.#waiting.values()]
    this.#waiting = new Map()
    if (waiting.length === 0) return
    const packed = await Promise.all(waiting.map(async (one) => ({ ...one, body: await pack(one.bought) })))
    try {
      this.#together(() => {
        for (const { account, form, bought, body } of packed) this.#put(account, form, bought, body)
        this.#prune()
      })
      this.#isFailing = false
    } catch (error) {
      if (isBusy(error)) return this.#again(waiting)
      if (isDamaged(error)) return this.#replace(error)
      if (!this.#isFailing) this.#options.warn(`Bought rows cannot be written: ${messageOf(error)}.`)
      this.#isFailing = true
    }
  }

  #again(waiting: readonly Waiting[]): void {
    for (const one of waiting)
      if (!this.#waiting.has(`${one.account} ${one.form}`)) this.#keep(one.account, one.bought)
  }

  #put(account: string, form: string, bought: Bought, body: Buffer): void {
    const before = this.#statements.one.get(account, form) as
      | { readonly size: number; readonly bought_at: number }
      | undefined // the columns named
    const isAhead = before && before.bought_at > this.#options.clock() + clockDifference
    if (before && !isAhead && before.bought_at > bought.boughtAt) return
    const size = body.length + form.length
    this.#statements.put.run(account, form, bought.boughtAt, size, body)
    this.#size += size - (before?.size ?? 0)
  }

  /** Drops what is of no use any more, and the oldest of what is too much. */
  #prune(): void {
    const { changes } = this.#statements.dropOld.run(this.#oldest)
    if (changes > 0) this.#size = this.#measured()
    const most = this.#options.mostKept ?? mostKept
    if (this.#size <= most) return
    const oldest = this.#statements.byAge.all() as { readonly rowid: number; readonly size: number }[] // the columns named
    for (const { rowid, size } of oldest) {
      if (this.#size <= 0.9 * most) break
      this.#statements.drop.run(rowid)
      this.#size -= size
    }
  }

  #measured(): number {
    return (this.#statements.size.get() as { readonly size: number }).size // the column named
  }

  #together(work: () => void): void {
    this.#statements.begin.run()
    try {
      work()
      this.#statements.commit.run()
    } catch (error) {
      if (this.#database.inTransaction) this.#statements.rollback.run()
      throw error
    }
  }

  #opened() {
    try {
      return this.#connect()
    } catch (error) {
      if (isBusy(error)) throw error
      removeFile(this.#file)
      const empty = this.#connect()
      this.#options.warn(damaged(error))
      return empty
    }
  }

  #connect() {
    const database = new LibsqlDatabase(this.#file, { timeout: busyMs })
    try {
      chmodSync(this.#file, 0o600)
      database.exec('pragma journal_mode = wal')
      // A crash of the machine may lose the last answers, which are bought again.
      database.exec('pragma synchronous = off')
      database.exec(schema)
      const statements = statementsOf(database)
      statements.putSecret.run(randomBytes(32).toString('base64url'))
      const secret = (statements.secret.get() as { readonly value: string }).value // just put, unless it was there
      this.#size = (statements.size.get() as { readonly size: number }).size // the column named
      return { database, statements, nameOf: keyNamer(secret) }
    } catch (error) {
      database.close()
      throw error
    }
  }

  /** Starts again with an empty file. Accounts that are open go on under their names. */
  #replace(error: unknown): void {
    try {
      this.#database.close()
      removeFile(this.#file)
      ;({ database: this.#database, statements: this.#statements } = this.#connect())
      this.#options.warn(damaged(error))
    } catch (failure) {
      if (!this.#isFailing) this.#options.warn(`Bought rows cannot be written: ${messageOf(failure)}.`)
      this.#isFailing = true
    }
  }
}

const damaged = (error: unknown) =>
  `The file of bought rows in DATA_DIR was damaged (${messageOf(error)}) and is replaced by an empty one.`

function removeFile(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))
const isDamaged = (error: unknown) => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))

const statementsOf = (database: Database) => ({
  begin: database.prepare('begin immediate'),
  commit: database.prepare('commit'),
  rollback: database.prepare('rollback'),
  of: database.prepare(
    'select size, body from answers where account = ? and bought_at > ? order by bought_at desc',
  ),
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
