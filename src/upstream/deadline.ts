/**
 * The end of the time that a call may take, all its tries together. One timer, which has to be ended with the
 * call.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout
  #isOver = false
  #onOver: (() => void) | null = null

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.#pass(), ms).unref()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /**
   * Sets what happens when the time is over, in place of what was set before. Happens at once if it is over.
   */
  onOver(happen: () => void): void {
    if (this.#isOver) happen()
    else this.#onOver = happen
  }

  /** Ends the timer: the call is over in time. */
  end(): void {
    clearTimeout(this.#timer)
    this.#onOver = null
  }

  #pass(): void {
    this.#isOver = true
    this.#onOver?.()
  }
}
