import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { rewritten } from './deleted-file.ts'
import { keyHasher } from './key-hash.ts'
import { LEDGER_FILE, openedAt, statementsOf } from './ledger-database.ts'
import type { Database } from './ledger-database.ts'
import type { Change, Grant, LedgerStore, Opened, Spending } from './ledger-store.ts'
import { dayOf } from './ledger-store.ts'
import { ledgerToRead } from './read-ledger.ts'
import type { ReadLedger } from './read-ledger.ts'

/** Days kept: a year, and the month before it to compare with. */
const keptDays = 400

/** Days kept by hour: this month and the last one. */
const keptHours = 62

/** Milliseconds between two looks whether the file is still there. */
const lookEvery = 1_000

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

/** A database that can be written. */
interface Writable {
  readonly database: Database
  readonly statements: ReturnType<typeof statementsOf>
}

/**
 * A ledger in a SQLite file. A write returns when the operating system has the data, so it survives a kill of
 * the process. Reservations that another process has left open are booked as estimated when the file is
 * opened. If the file is deleted while it is open, a new one is written with all that it had. If it can be
 * read but not be written at the start, each write tries again to open it.
 */
export class LedgerFile implements LedgerStore {
  readonly isDurable = true
  readonly nameOf: (apiKey: string) => string
  /** Why the file could not be written at the start; null if it could. */
  readonly fault: unknown = null
  readonly #file: string
  readonly #startedAt: number
  readonly #secret: string
  #writable: Writable | null = null
  /** What is known of the ledger until it can be written. */
  #read: ReadLedger | null = null
  #lookedAt = performance.now()

  /** Throws if the file can be neither written nor read. */
  constructor(folder: string, now: number) {
    this.#file = join(folder, LEDGER_FILE)
    this.#startedAt = now
    try {
      this.#writable = this.#opened(randomBytes(32).toString('base64url'))
      this.#secret = secretIn(this.#writable)
    } catch (error) {
      this.#read = ledgerToRead(this.#file, error)
      this.#secret = this.#read.secret
      this.fault = error
    }
    this.nameOf = keyHasher(this.#secret)
  }

  /** Whether it could not be written since the start. */
  get isVolatile(): boolean {
    return this.#writable === null
  }

  write(changes: readonly Change[]): readonly Grant[] {
    const { database, statements } = this.#toWrite()
    together({ database, statements }, () => {
      for (const change of changes) {
        if (change.kind === 'open') statements.open.run(change.opened.id, ...valuesOf(change.opened))
        else settle(statements, change.opened, change.spent)
      }
    })
    return []
  }

  async spending(from: string, to: string): Promise<readonly Spending[]> {
    if (!this.#writable) return this.#read?.spending.filter(({ day }) => day >= from && day <= to) ?? []
    return this.#writable.statements.between.all(from, to) as Spending[] // the columns of the table
  }

  async close(): Promise<void> {
    if (!this.#writable) return
    const { database } = this.#writable
    try {
      // So that the file can be read where nothing can be written beside it.
      database.exec('pragma wal_checkpoint(truncate)')
    } catch {
      // The disk is full, or the file is in use. The log has everything.
    }
    database.close()
  }

  /** The database, opened or written again if necessary. Throws if it cannot be written. */
  #toWrite(): Writable {
    if (!this.#writable) {
      this.#writable = this.#opened(this.#secret)
      this.#read = null
    } else if (performance.now() - this.#lookedAt > lookEvery) {
      const database = rewritten(this.#writable.database, this.#file, openedAt)
      if (database) this.#writable = { database, statements: statementsOf(database) }
      this.#lookedAt = performance.now()
    }
    return this.#writable
  }

  /** Opens the file, and puts the secret there if it has none. */
  #opened(secret: string): Writable {
    const database = openedAt(this.#file)
    try {
      const statements = statementsOf(database)
      statements.putSecret.run(secret)
      begin({ database, statements }, this.#startedAt)
      return { database, statements }
    } catch (error) {
      database.close()
      throw error
    }
  }
}

const secretIn = ({ statements }: Writable) => (statements.secret.get() as { value: string }).value // put before

function settle({ close, add }: Writable['statements'], opened: Opened, spent: readonly Spending[]): void {
  const { changes } = close.run(opened.id)
  // If another process has started since and booked it as estimated, that is reversed.
  if (changes === 0) add.run(...valuesOf(negative(opened)))
  for (const one of spent) add.run(...valuesOf(one))
}

/** Books open reservations as estimated, and deletes old days. */
function begin(writable: Writable, now: number): void {
  const { bookOpen, dropOpen, dropOld, joinHours, dropHours } = writable.statements
  together(writable, () => {
    bookOpen.run()
    dropOpen.run()
    dropOld.run(dayOf(now - keptDays * 86_400_000))
    const day = dayOf(now - keptHours * 86_400_000)
    joinHours.run(day)
    dropHours.run(day)
  })
}

function together({ database, statements }: Writable, work: () => void): void {
  statements.begin.run()
  try {
    work()
    statements.commit.run()
  } catch (error) {
    if (database.inTransaction) statements.rollback.run()
    throw error
  }
}

const negative = (one: Spending): Spending => ({
  ...one,
  tokens: -one.tokens,
  estimated: -one.estimated,
  bytes: -one.bytes,
  calls: -one.calls,
})
