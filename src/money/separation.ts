/**
 * Milliseconds for which a call near the end of a budget waits for a shared ledger that has gone away. Most
 * outages are shorter: the others may spend what this instance would spend alone.
 */
const patience = 3_000

/** Whether this instance is cut off from the shared ledger, and whether it still waits for it. */
export class Separation {
  readonly #onAlone: () => void
  #among: number | null = null
  #doubt: Promise<void> | null = null
  #endDoubt = () => {}

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
    return this.#among !== null && this.#doubt === null
  }

  /** While the shared ledger may still be back in time: resolves when that is decided; else null. */
  get doubt(): Promise<void> | null {
    return this.#doubt
  }

  /**
   * The shared ledger went away. If it was never reached, `among` is infinite, and nothing is waited for unless
   * it is about to be used (`isSoon`). An instance that knows of no other waits too: one may just have started.
   */
  begin(among: number, isSoon = false): void {
    this.#among = among
    if (among === Number.POSITIVE_INFINITY && !isSoon) return this.#onAlone()
    const doubt = new Promise<void>((end) => {
      const timer = setTimeout(end, patience).unref()
      this.#endDoubt = () => (clearTimeout(timer), end())
    })
    this.#doubt = doubt
    void doubt.then(() => {
      if (this.#doubt !== doubt) return
      this.#doubt = null
      this.#onAlone()
    })
  }

  end(): void {
    this.#among = null
    this.#doubt = null
    this.#endDoubt()
  }
}
