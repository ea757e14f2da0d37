/**
 * Milliseconds after which an instance without the shared ledger spends its share of what is left of a budget, not
 * only what is allotted to it. Most outages are shorter: the others may spend what this instance would spend alone.
 */
const patience = 12_000

/** Calls back after some milliseconds. Returns what cancels that. */
export type CallLater = (call: () => void, ms: number) => () => void

const byTimer: CallLater = (call, ms) => {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}

/** Whether this instance is cut off from the shared ledger, and for how long. */
export class Separation {
  readonly #onAlone: () => void
  readonly #callLater: CallLater
  #among: number | null = null
  /** While the shared ledger may be back in time: what ends the wait for it. */
  #stopWaiting: (() => void) | null = null

  /** `onAlone` is called when the shared ledger is not back in time. */
  constructor(onAlone: () => void, callLater = byTimer) {
    this.#onAlone = onAlone
    this.#callLater = callLater
  }

  /** While the shared ledger cannot be reached: the number of instances that were there; else null. */
  get among(): number | null {
    return this.#among
  }

  /** Whether the shared ledger was not back in time. */
  get isAlone(): boolean {
    return this.#among !== null && this.#stopWaiting === null
  }

  /** Whether the shared ledger has gone away, and may still be back in time. */
  get isInDoubt(): boolean {
    return this.#stopWaiting !== null
  }

  /**
   * The shared ledger went away. If it was never reached, `among` is infinite, and it is not late unless it is about
   * to be used (`isSoon`). An instance that knows of no other has patience too: one may just have started.
   */
  begin(among: number, isSoon = false): void {
    this.#among = among
    if (among === Number.POSITIVE_INFINITY && !isSoon) return this.#onAlone()
    this.#stopWaiting = this.#callLater(() => {
      this.#stopWaiting = null
      this.#onAlone()
    }, patience)
  }

  end(): void {
    this.#among = null
    this.#stopWaiting?.()
    this.#stopWaiting = null
  }
}
