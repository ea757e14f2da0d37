/** The time of a call is counted in so many steps. */
const steps = 10

/**
 * The deadline of a call with all its tries. It is a timer, which has to be ended with the call.
 *
 * A step that takes twice its time or more does not count, up to as many as count: this process was stopped
 * or busy, so it could not read the answer either, which may be waiting.
 */
export class Deadline {
  readonly #step: number
  #left = steps
  #excused = steps
  #timer: NodeJS.Timeout
  #isOver = false
  #onOver: (() => void) | null = null

  constructor(ms: number) {
    this.#step = ms / steps
    this.#timer = this.#begin()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether only its last tenth is left, which is too short for an answer. */
  get isNearlyOver(): boolean {
    return this.#left <= 1
  }

  /** Milliseconds for a pause after which an answer can still come: all but its last tenth. */
  get msLeft(): number {
    return (this.#left - 1) * this.#step
  }

  /** Begins the whole time again, unless it is over. */
  renew(): void {
    this.#left = steps
  }

  /**
   * Sets the callback for the end of the time; it replaces an earlier one. It runs at once if the time is
   * over.
   */
  onOver(happen: () => void): void {
    if (this.#isOver) happen()
    else this.#onOver = happen
  }

  /** Resolves as `other` does. What that takes is not the service's time, and does not count. */
  async without<T>(other: Promise<T>): Promise<T> {
    clearTimeout(this.#timer)
    try {
      return await other
    } finally {
      if (!this.#isOver) this.#timer = this.#begin()
    }
  }

  /** Ends the timer: the call is over in time. */
  end(): void {
    clearTimeout(this.#timer)
    this.#onOver = null
  }

  #begin(): NodeJS.Timeout {
    const began = performance.now()
    return setTimeout(() => this.#end(began), this.#step).unref()
  }

  #end(began: number): void {
    const isLate = performance.now() - began >= 2 * this.#step
    if (isLate && this.#excused > 0) this.#excused -= 1
    else this.#left -= 1
    if (this.#left > 0) this.#timer = this.#begin()
    else this.#pass()
  }

  #pass(): void {
    this.#isOver = true
    this.#onOver?.()
  }
}
