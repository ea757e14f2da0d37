import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { closeKept, rewritten } from './deleted-file.ts'
import { keyHasher } from '../key-hash.ts'
import { LEDGER_FILE, openedAt, statementsOf } from './ledger-database.ts'
import type { Database } from './ledger-database.ts'
import type { Change, Grant, LedgerStore, Opened, Spending } from '../ledger-store.ts'
import { dayOf, monthOf, negative } from '../ledger-store.ts'
import { readAsFarAsKnown, readSecret } from './read-ledger.ts'
import { RunningProcesses } from './running-processes.ts'
import { isDamaged, usualWaits } from './sqlite.ts'
import type { Waits } from './sqlite.ts'

/** Days kept: a year, and the month before it to compare with. */
const keptDays = 400

/** Days kept by hour: this month and the last one. */
const keptHours = 62

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
 * the process. Open reservations of other processes are booked as estimated when the file is opened, and while
 * it is open those of processes that have ended. If the file is deleted while it is open, a new one is written
 * with all that it had. If it can be read but not be written at the start, each write tries again to open it.
 */
export class LedgerFile implements LedgerStore {
  readonly isDurable = true
  readonly nameOf: (apiKey: string) => string
  /** Why the file could not be written at the start; null if it could. */
  readonly fault: unknown = null
  readonly #file: string
  readonly #startedAt: number
  readonly #processes: RunningProcesses
  readonly #secret: string
  #writable: Writable | null = null
  readonly #waits: Waits
  /** Milliseconds to wait while another process writes. */
  #waitMs: number
  /** Changes when another process writes; null if it is not known since when. */
  #version: number | null = null
  /** The first day of what was last read to be counted. */
  #countedFrom: string

  /** Throws if the file can be neither written nor read, or is damaged. */
  constructor(folder: string, now: number, waits = usualWaits) {
    this.#file = join(folder, LEDGER_FILE)
    this.#waits = waits
    this.#waitMs = waits.busyMs
    this.#startedAt = now
    // A start reads its month.
    this.#countedFrom = `${monthOf(now)}-01`
    this.#processes = new RunningProcesses(folder)
    try {
      this.#writable = this.#opened(randomBytes(32).toString('base64url'))
      this.#secret = secretIn(this.#writable)
      this.#version = versionOf(this.#writable)
    } catch (error) {
      if (isDamaged(error)) {
        this.#processes.leave(true)
        throw error
      }
      this.#secret = readableSecret(this.#file, error)
      this.fault = error
      this.#waitMs = waits.shortWaitMs
    }
    this.nameOf = keyHasher(this.#secret)
  }

  get process(): string {
    return this.#processes.own
  }

  /** Whether it could not be written since the start. */
  get isVolatile(): boolean {
    return this.#writable === null
  }

  write(changes: readonly Change[]): readonly Grant[] {
    try {
      this.#write(changes)
      this.#waitAtMost(this.#waits.busyMs)
      return []
    } catch (error) {
      this.#waitAtMost(this.#waits.shortWaitMs)
      throw error
    }
  }

  #waitAtMost(ms: number): void {
    if (this.#waitMs === ms) return
    this.#waitMs = ms
    this.#writable?.database.exec(`pragma busy_timeout = ${ms}`)
  }

  #write(changes: readonly Change[]): void {
    const { database, statements } = this.#toWrite()
    together({ database, statements }, () => {
      for (const change of changes) {
        if (change.kind === 'open') statements.open.run(change.opened.id, ...valuesOf(change.opened))
        else settle(statements, change.opened, change.spent)
      }
    })
  }

  bookLeft(): void {
    if (!this.#writable) return
    const writable = this.#toWrite()
    this.#processes.enter()
    this.#processes.forgetEnded((process) => this.#book(writable, process))
  }

  #book(writable: Writable, process: string): void {
    const waitMs = this.#waitMs
    this.#waitAtMost(this.#waits.shortWaitMs)
    try {
      if (!hasLeft(writable, process)) return
      together(writable, () => {
        writable.statements.bookLeft.run({ process })
        writable.statements.dropLeft.run({ process })
      })
    } finally {
      this.#waitAtMost(waitMs)
    }
  }

  changedElsewhere(from: string, to: string): readonly Spending[] | null {
    if (!this.#writable) return null
    const version = versionOf(this.#writable)
    if (version === this.#version && from === this.#countedFrom) return null
    const rows = this.#writable.statements.withOpen.all({ from, to }) as Spending[] // the columns of the tables
    this.#version = version
    this.#countedFrom = from
    return rows
  }

  async spending(from: string, to: string): Promise<readonly Spending[]> {
    if (!this.#writable) return readAsFarAsKnown(this.#file, from, to)
    return this.#writable.statements.between.all(from, to) as Spending[] // the columns of the table
  }

  async close(): Promise<void> {
    this.#processes.leave(this.#isSettled())
    if (!this.#writable) return
    const { database } = this.#writable
    try {
      // So that the file can be read where nothing can be written beside it.
      database.exec('pragma wal_checkpoint(truncate)')
    } catch {
      // The disk is full, or the file is in use. The log has everything.
    }
    closeKept(database, this.#file)
  }

  /** Whether this process has no open reservations, as far as that can be read. */
  #isSettled(): boolean {
    try {
      return !this.#writable || !hasLeft(this.#writable, this.process)
    } catch {
      return false
    }
  }

  /** The database, opened or written again if necessary. Throws if it cannot be written. */
  #toWrite(): Writable {
    if (!this.#writable) {
      this.#writable = this.#opened(this.#secret)
    } else {
      const database = rewritten(this.#writable.database, this.#file, openedAt)
      if (database) {
        this.#writable = { database, statements: statementsOf(database) }
        this.#version = null
      }
    }
    return this.#writable
  }

  /** Opens the file, and puts the secret there if it has none. */
  #opened(secret: string): Writable {
    const database = openedAt(this.#file, this.#waitMs)
    try {
      const statements = statementsOf(database)
      this.#processes.enter()
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

/** Whether a process has open reservations. */
const hasLeft = ({ statements }: Writable, process: string): boolean =>
  statements.left.get({ process }) !== undefined

const versionOf = ({ statements }: Writable) =>
  (statements.version.get() as { readonly data_version: number }).data_version // the pragma's only column

/** The secret of a file that cannot be written because of `fault`, which is thrown if it cannot be read either. */
function readableSecret(file: string, fault: unknown): string {
  try {
    return readSecret(file)
  } catch {
    throw fault
  }
}

function settle({ close, add }: Writable['statements'], opened: Opened, spent: readonly Spending[]): void {
  const { changes } = close.run(opened.id)
  // If another process has started since and booked it as estimated, that is reversed.
  if (changes === 0) add.run(...valuesOf(negative(opened)))
  for (const one of spent) add.run(...valuesOf(one))
}

/**
 * Books open reservations as estimated, and deletes old days: those long before the newest one, because the clock may
 * be ahead.
 */
function begin(writable: Writable, clock: number): void {
  const { bookOpen, dropOpen, dropOld, joinHours, dropHours } = writable.statements
  together(writable, () => {
    bookOpen.run()
    dropOpen.run()
    const now = Math.min(clock, newestIn(writable) ?? clock)
    dropOld.run(dayOf(now - keptDays * 86_400_000))
    const day = dayOf(now - keptHours * 86_400_000)
    joinHours.run(day)
    dropHours.run(day)
  })
}

/** When the newest day of a ledger began; undefined if it has none. */
function newestIn({ statements }: Writable): number | undefined {
  const { day } = statements.newest.get() as { day: string | null } // the only column
  return day === null ? undefined : Date.parse(day)
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
