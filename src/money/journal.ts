import type { Change, LedgerStore } from './ledger-store.ts'

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
  #waiting: Change[] = []
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

  /** Resolves when the change is written, or when that has failed. */
  add(change: Change): Promise<void> {
    this.#waiting.push(change)
    if (this.#isScheduled && this.#written) return this.#written
    this.#isScheduled = true
    const written = this.#afterThisTurn(this.#written).then(() => {
      if (this.#written === written) this.#written = undefined
    })
    return (this.#written = written)
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
    if (this.#failedAt !== null && performance.now() - this.#failedAt < tryAgainAfter) return
    const changes = this.#waiting
    this.#waiting = []
    try {
      await this.#store.write(changes)
      this.#failedAt = null
    } catch (error) {
      if (this.#failedAt === null) this.#onFailure(error)
      this.#failedAt = performance.now()
      this.#waiting = [...changes, ...this.#waiting].slice(-mostWaiting)
    }
  }
}
