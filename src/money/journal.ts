import { setTimeout as pause } from 'node:timers/promises'
import { HeldChanges } from './held-changes.ts'
import type { Change, Grant, LedgerStore, Spending } from './ledger-store.ts'

/** Milliseconds between tries while the store cannot be written. */
const tryAgainAfter = 1_000

/** Tries at the end of the process, and milliseconds between them: another process may be writing. */
const lastTries = 10
const lastTriesEvery = 200

/** Milliseconds that a bill may wait to be written together with others. */
const longestWait = 20

/**
 * Writes changes in batches. Reservations are written at the end of the turn. Bills, and reservations that a
 * larger one covers, are written early, with the next reservation, or when an answer waits for them. While
 * the store cannot be written, changes are held and tried again, `isFailing` is true, and answers do not
 * wait.
 */
export class Journal {
  readonly #store: LedgerStore
  readonly #onFailure: (error: unknown) => void
  #waiting: Waiting[] = []
  /** What could not be written. */
  #held = new HeldChanges()
  #written: Promise<void> | undefined
  /** A write that later ones do not wait for. */
  #early: Promise<void> | undefined
  /** Whether a write is scheduled that will include new changes. */
  #isScheduled = false
  #failedAt: number | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(store: LedgerStore, onFailure: (error: unknown) => void) {
    this.#store = store
    this.#onFailure = onFailure
  }

  /** Writes all changes so far; undefined if they are written. */
  write(): Promise<unknown> | undefined {
    if (this.#hasChanges) this.#schedule()
    const early = this.#early
    return early && this.#written ? Promise.all([early, this.#written]) : (early ?? this.#written)
  }

  /**
   * Writes all changes so far at once, if that takes a round trip and no other write is under way. A later
   * reservation does not wait for it. Resolves in the next turn, when they have been sent; undefined if there
   * is nothing to send.
   */
  writeEarly(): Promise<void> | undefined {
    if (!this.#store.isRemote || this.#early || this.#written || this.#waiting.length === 0) return undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#early = this.#flush().then(() => (this.#early = undefined))
    return new Promise((resolve) => setImmediate(resolve))
  }

  /** The changes that are not written yet. */
  get waiting(): readonly Change[] {
    return [...this.#held.changes, ...this.#waiting.map(({ change }) => change)]
  }

  get isFailing(): boolean {
    return this.#failedAt !== null
  }

  get #hasChanges(): boolean {
    return this.#waiting.length > 0 || !this.#held.isEmpty
  }

  /** What was spent from one day to another, inclusive, and could not be written yet. */
  spending(from: string, to: string): readonly Spending[] {
    return this.#held.spending(from, to)
  }

  /** What was spent and is not written yet. */
  get unwritten(): readonly Spending[] {
    return this.#held.spent
  }

  /** Resolves when the change is written or writing it has failed. A reservation resolves with its grant. */
  add(change: Change): Promise<Grant> {
    const granted = new Promise<Grant>((tell) => this.#waiting.push({ change, tell }))
    if (change.kind === 'open' && !change.isGranted) this.#schedule()
    else this.#timer ??= setTimeout(() => this.#schedule(), longestWait)
    return granted
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isScheduled) return
    this.#isScheduled = true
    const written = this.#afterThisTurn(this.#written).then(() => {
      if (this.#written === written) this.#written = undefined
    })
    this.#written = written
  }

  /** Writes all changes now. While the store cannot be written, it is tried some more times. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#early
    await this.#written
    for (let left = lastTries; left > 0 && this.#hasChanges; left -= 1) {
      if (this.#failedAt !== null) this.#failedAt = Number.NEGATIVE_INFINITY
      await this.#flush()
      if (this.isFailing) await pause(lastTriesEvery)
    }
  }

  async #afterThisTurn(before: Promise<void> | undefined): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    await before
    this.#isScheduled = false
    await this.#flush()
  }

  async #flush(): Promise<void> {
    if (!this.#hasChanges) return
    const waiting = this.#waiting
    this.#waiting = []
    if (this.#failedAt !== null && performance.now() - this.#failedAt < tryAgainAfter)
      return this.#hold(waiting)
    const held = this.#held
    this.#held = new HeldChanges()
    const { changes } = held
    try {
      const grants = await this.#store.write([...changes, ...waiting.map(({ change }) => change)])
      this.#failedAt = null
      tellAll(waiting, grants.slice(changes.filter(isOpen).length))
    } catch (error) {
      if (this.#failedAt === null) this.#onFailure(error)
      this.#failedAt = performance.now()
      for (const change of this.#held.changes) held.add(change)
      this.#held = held
      this.#hold(waiting)
    }
  }

  /** Keeps changes for the next try, which comes also if nothing more is spent. */
  #hold(waiting: readonly Waiting[]): void {
    for (const { change } of waiting) this.#held.add(change)
    this.#timer ??= setTimeout(() => this.#schedule(), tryAgainAfter).unref()
    tellAll(waiting, [])
  }
}

/** A waiting change and its callback. */
interface Waiting {
  readonly change: Change
  readonly tell: (granted: Grant) => void
}

const isOpen = ({ kind }: Change) => kind === 'open'

function tellAll(waiting: readonly Waiting[], grants: readonly Grant[]): void {
  const left = [...grants]
  for (const { change, tell } of waiting) {
    const grant = isOpen(change) ? left.shift() : true
    tell(grant === undefined ? true : grant)
  }
}
