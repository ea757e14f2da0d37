import type { Change, Grant, LedgerStore } from './ledger-store.ts'

/** Maximum changes kept in memory while the store cannot be written. */
const mostWaiting = 100_000

/** Milliseconds between tries while the store cannot be written. */
const tryAgainAfter = 1_000

/** Milliseconds that a bill may wait to be written together with others. */
const longestWait = 20

/**
 * Writes changes in batches. Reservations are written at the end of the turn. Bills, and reservations that a
 * larger one covers, are written early, with the next reservation, or when an answer waits for them. While
 * the store cannot be written, changes are kept and tried again, `isFailing` is true, and answers do not
 * wait.
 */
export class Journal {
  readonly #store: LedgerStore
  readonly #onFailure: (error: unknown) => void
  #waiting: Waiting[] = []
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
    if (this.#waiting.length > 0) this.#schedule()
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

  get isFailing(): boolean {
    return this.#failedAt !== null
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

  /** Writes all waiting changes now. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#early
    await this.#written
    if (this.#failedAt !== null) this.#failedAt = Number.NEGATIVE_INFINITY
    await this.#flush()
  }

  async #afterThisTurn(before: Promise<void> | undefined): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    await before
    this.#isScheduled = false
    await this.#flush()
  }

  async #flush(): Promise<void> {
    if (this.#waiting.length === 0) return
    if (this.#failedAt !== null && performance.now() - this.#failedAt < tryAgainAfter)
      return tellAll(this.#waiting, [])
    const waiting = this.#waiting
    this.#waiting = []
    try {
      const grants = await this.#store.write(waiting.map(({ change }) => change))
      this.#failedAt = null
      tellAll(waiting, grants)
    } catch (error) {
      if (this.#failedAt === null) this.#onFailure(error)
      this.#failedAt = performance.now()
      this.#waiting = [...waiting, ...this.#waiting].slice(-mostWaiting)
      tellAll(waiting, [])
    }
  }
}

/** A waiting change and its callback. */
interface Waiting {
  readonly change: Change
  readonly tell: (granted: Grant) => void
}

function tellAll(waiting: readonly Waiting[], grants: readonly Grant[]): void {
  const left = [...grants]
  for (const { change, tell } of waiting) {
    const grant = change.kind === 'open' ? left.shift() : true
    tell(grant === undefined ? true : grant)
  }
}
