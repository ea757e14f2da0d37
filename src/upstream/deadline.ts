/** The deadline of a call with all its tries. It is one timer, which has to be ended with the call. */
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
   * Sets the callback for the end of the time; it replaces an earlier one. It runs at once if the time is
   * over.
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
