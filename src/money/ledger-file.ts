import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { rewritten } from './deleted-file.ts'
import { keyHasher } from './key-hash.ts'
import type { Change, Grant, LedgerStore, Opened, Spending } from './ledger-store.ts'
import { dayOf } from './ledger-store.ts'

export const LEDGER_FILE = 'ledger.sqlite'

/** Days kept: a year, and the month before it to compare with. */
const keptDays = 400

/** Days kept by hour: this month and the last one. */
const keptHours = 62

/** Milliseconds to wait while another process writes. */
const busyMs = 2_000

/** Milliseconds between two looks whether the file is still there. */
const lookEvery = 1_000

const schema = `
  create table if not exists meta (name text primary key, value text not null) without rowid;
  create table if not exists spending (
    day text not null, hour text not null, key text not null, client text not null, operation text not null,
    service text not null, tokens real not null, estimated real not null, bytes integer not null, calls integer not null,
    primary key (day, hour, key, client, operation, service)
  ) without rowid;
  create table if not exists opened (
    id text primary key, day text not null, hour text not null, key text not null, client text not null,
    operation text not null, service text not null, tokens real not null, estimated real not null, bytes integer not null, calls integer not null
  ) without rowid;
`

/** The table of earlier versions, which had days and no hours. */
const addHours = `
  begin immediate;
  alter table spending rename to spending_of_days;
  alter table opened rename to opened_of_days;
  ${schema}
  insert into spending select day, '', key, client, operation, service, tokens, estimated, bytes, calls from spending_of_days;
  insert into opened select id, day, '', key, client, operation, service, tokens, estimated, bytes, calls from opened_of_days;
  drop table spending_of_days;
  drop table opened_of_days;
  commit;
`

const hasNoHours = (database: InstanceType<typeof LibsqlDatabase>): boolean => {
  const names = database.prepare(`select name from pragma_table_info('spending')`).all() as { name: string }[]
  return names.length > 0 && !names.some(({ name }) => name === 'hour')
}

const columns = 'day, hour, key, client, operation, service, tokens, estimated, bytes, calls'

const summed = ['tokens', 'estimated', 'bytes', 'calls'].map((name) => `${name} = ${name} + excluded.${name}`)

const valuesOf = (one: Spending) =>
  [
    one.day,
    one.hour,
    one.key,
    one.client,
    one.operation,
    one.service,
    one.tokens,
    one.estimated,
    one.bytes,
    one.calls,
  ] as const

type Database = InstanceType<typeof LibsqlDatabase>

/** Throws if the file cannot be written. */
function openedAt(file: string): Database {
  mkdirSync(dirname(file), { recursive: true })
  const database = new LibsqlDatabase(file, { timeout: busyMs })
  try {
    chmodSync(file, 0o600)
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = normal')
    if (hasNoHours(database)) database.exec(addHours)
    database.exec(schema)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * A ledger in a SQLite file. A write returns when the operating system has the data, so it survives a kill of
 * the process. Reservations that another process has left open are booked as estimated when the file is
 * opened. If the file is deleted while it is open, a new one is written with all that it had.
 */
export class LedgerFile implements LedgerStore {
  readonly isDurable = true
  readonly nameOf: (apiKey: string) => string
  readonly #file: string
  #database: Database
  #statements: ReturnType<typeof statementsOf>
  #lookedAt = performance.now()

  /** Throws if the folder or the file cannot be written. */
  constructor(folder: string, now: number) {
    this.#file = join(folder, LEDGER_FILE)
    this.#database = openedAt(this.#file)
    try {
      this.#statements = statementsOf(this.#database)
      this.nameOf = keyHasher(this.#secret())
      this.#begin(now)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  write(changes: readonly Change[]): readonly Grant[] {
    if (performance.now() - this.#lookedAt > lookEvery) this.#look()
    this.#together(() => {
      for (const change of changes) {
        if (change.kind === 'open') this.#statements.open.run(change.opened.id, ...valuesOf(change.opened))
        else this.#settle(change.opened, change.spent)
      }
    })
    return []
  }

  async spending(from: string, to: string): Promise<readonly Spending[]> {
    return this.#statements.between.all(from, to) as Spending[] // the columns of the table
  }

  async close(): Promise<void> {
    this.#database.close()
  }

  /** Writes a deleted file again. Throws if it cannot be written. */
  #look(): void {
    const database = rewritten(this.#database, this.#file, openedAt)
    if (database) {
      this.#database = database
      this.#statements = statementsOf(database)
    }
    this.#lookedAt = performance.now()
  }

  #settle(opened: Opened, spent: readonly Spending[]): void {
    const { changes } = this.#statements.close.run(opened.id)
    // If another process has started since and booked it as estimated, that is reversed.
    if (changes === 0) this.#statements.add.run(...valuesOf(negative(opened)))
    for (const one of spent) this.#statements.add.run(...valuesOf(one))
  }

  /** Books open reservations as estimated, and deletes old days. */
  #begin(now: number): void {
    this.#together(() => {
      this.#statements.bookOpen.run()
      this.#statements.dropOpen.run()
      this.#statements.dropOld.run(dayOf(now - keptDays * 86_400_000))
      const day = dayOf(now - keptHours * 86_400_000)
      this.#statements.joinHours.run(day)
      this.#statements.dropHours.run(day)
    })
  }

  #secret(): string {
    this.#statements.putSecret.run(randomBytes(32).toString('base64url'))
    return (this.#statements.secret.get() as { value: string }).value // just put, unless it was there
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
}

const negative = (one: Spending): Spending => ({
  ...one,
  tokens: -one.tokens,
  estimated: -one.estimated,
  bytes: -one.bytes,
  calls: -one.calls,
})

const statementsOf = (database: InstanceType<typeof LibsqlDatabase>) => ({
  begin: database.prepare('begin immediate'),
  commit: database.prepare('commit'),
  rollback: database.prepare('rollback'),
  open: database.prepare(`insert into opened (id, ${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
  close: database.prepare('delete from opened where id = ?'),
  add: database.prepare(
    `insert into spending (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do update set ${summed.join(', ')}`,
  ),
  // "where true" tells the parser that "on" does not begin a join condition.
  bookOpen: database.prepare(
    `insert into spending (${columns}) select ${columns} from opened where true on conflict do update set ${summed.join(', ')}`,
  ),
  dropOpen: database.prepare('delete from opened'),
  joinHours: database.prepare(
    `insert into spending (${columns})
     select day, '', key, client, operation, service, sum(tokens), sum(estimated), sum(bytes), sum(calls) from spending
     where day < ? and hour <> '' group by day, key, client, operation, service on conflict do update set ${summed.join(', ')}`,
  ),
  dropHours: database.prepare(`delete from spending where day < ? and hour <> ''`),
  dropOld: database.prepare('delete from spending where day < ?'),
  between: database.prepare(
    `select ${columns} from spending where day >= ? and day <= ? and (tokens <> 0 or bytes <> 0 or calls <> 0)`,
  ),
  putSecret: database.prepare(`insert into meta (name, value) values ('secret', ?) on conflict do nothing`),
  secret: database.prepare(`select value from meta where name = 'secret'`),
})
