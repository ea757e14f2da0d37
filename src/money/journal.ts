import type { Change, Grant, LedgerStore } from './ledger-store.ts'

/** Changes that are kept while a store cannot be written. */
const mostWaiting = 100_000

/** Milliseconds between tries while a store cannot be written. */
const tryAgainAfter = 1_000

/**
 * Writes the changes of one turn of the event loop together. While the store cannot be written, changes wait for the next try, and
 * nobody waits for them: answers go on, and `isFailing` tells.
 */
export class Journal {
  readonly #store: LedgerStore
  readonly #onFailure: (error: unknown) => void
  #waiting: Waiting[] = []
  #written: Promise<void> | undefined
  /** Whether what is added now is written with what waits. */
  #isScheduled = false
  #failedAt: number | null = null

  constructor(store: LedgerStore, onFailure: (error: unknown) => void) {
    this.#store = store
    this.#onFailure = onFailure
  }

  /** When all that was added so far is written; undefined where it is. */
  get written(): Promise<void> | undefined {
    return this.#written
  }

  get isFailing(): boolean {
    return this.#failedAt !== null
  }

  /** Resolves when the change is written, or when that has failed: with its grant, where it opens. */
  add(change: Change): Promise<Grant> {
    const granted = new Promise<Grant>((tell) => this.#waiting.push({ change, tell }))
    if (this.#isScheduled) return granted
    this.#isScheduled = true
    const written = this.#afterThisTurn(this.#written).then(() => {
      if (this.#written === written) this.#written = undefined
    })
    this.#written = written
    return granted
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
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

/** A change that waits, and who waits for it. */
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
