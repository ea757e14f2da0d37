/**
 * Milliseconds after which an instance without the shared ledger spends its share of what is left of a budget, not
 * only what is allotted to it. Most outages are shorter: the others may spend what this instance would spend alone.
 */
const patience = 12_000

/** Whether this instance is cut off from the shared ledger, and for how long. */
export class Separation {
  readonly #onAlone: () => void
  #among: number | null = null
  #timer: NodeJS.Timeout | undefined

  /** `onAlone` is called when the shared ledger is not back in time. */
  constructor(onAlone: () => void) {
    this.#onAlone = onAlone
  }

  /** While the shared ledger cannot be reached: the number of instances that were there; else null. */
  get among(): number | null {
    return this.#among
  }

  /** Whether the shared ledger was not back in time. */
  get isAlone(): boolean {
    return this.#among !== null && this.#timer === undefined
  }

  /** Whether the shared ledger has gone away, and may still be back in time. */
  get isInDoubt(): boolean {
    return this.#timer !== undefined
  }

  /**
   * The shared ledger went away. If it was never reached, `among` is infinite, and it is not late unless it is about
   * to be used (`isSoon`). An instance that knows of no other has patience too: one may just have started.
   */
  begin(among: number, isSoon = false): void {
    this.#among = among
    if (among === Number.POSITIVE_INFINITY && !isSoon) return this.#onAlone()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#onAlone()
    }, patience).unref()
  }

  end(): void {
    this.#among = null
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
