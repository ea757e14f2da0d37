/**
 * Calls in a row that the service leaves without an answer, and milliseconds from the first failure to the last,
 * before others are no longer sent.
 */
const usualMost = 4
const longEnough = 5_000

/** Milliseconds between two probes at first, and at most. Each pause is twice as long as the one before. */
const firstPause = 1_000
const longestPause = 15_000

/** A call that may be sent. */
export interface Passage {
  /** It has one try. */
  readonly isProbe: boolean
  /** The number of calls that were answered before it was sent. */
  readonly answersBefore: number
}

/**
 * Stops calls to a service that does not answer: each would keep its client waiting, and may be billed. While it
 * is open, a call that is needed anyway is sent as a probe every few seconds. The first answer closes it.
 */
export class CircuitBreaker {
  readonly #clock: () => number
  readonly #mostFailures: number
  #answers = 0
  #failures = 0
  #failedFirst = 0
  #failedLast = 0
  #pause = firstPause
  #nextProbe = 0

  constructor(clock: () => number, mostFailures = usualMost) {
    this.#clock = clock
    this.#mostFailures = mostFailures
  }

  /** Whether calls are stopped, except for probes. */
  get isOpen(): boolean {
    return this.#failures >= this.#mostFailures && this.#failedLast - this.#failedFirst >= longEnough
  }

  /** Whether a call may be sent now. */
  get letsPass(): boolean {
    return !this.isOpen || this.#isProbeDue
  }

  /** Lets a call pass; null if it may not be sent. While a probe has no answer, the next one waits its pause. */
  enter(): Passage | null {
    if (!this.letsPass) return null
    const isProbe = this.isOpen
    if (isProbe) {
      this.#nextProbe = this.#clock() + this.#pause
      this.#pause = Math.min(2 * this.#pause, longestPause)
    }
    return { isProbe, answersBefore: this.#answers }
  }

  /** Notes that a call was answered, if only by an error. */
  answered(): void {
    this.#answers += 1
    this.#failures = 0
    this.#pause = firstPause
  }

  /** Notes that all tries of a call were left without an answer. If others were answered meanwhile, it tells nothing of the service. */
  failed({ isProbe, answersBefore }: Passage): void {
    if (answersBefore !== this.#answers || (this.isOpen && !isProbe)) return
    this.#failures += 1
    this.#failedLast = this.#clock()
    // Also if the clock was set back.
    if (this.#failures === 1 || this.#failedFirst > this.#failedLast) this.#failedFirst = this.#failedLast
    // The next call of the same request is not the next probe, or its client would wait for one after the other.
    if (this.isOpen) this.#nextProbe = Math.max(this.#nextProbe, this.#clock() + firstPause)
  }

  get #isProbeDue(): boolean {
    const left = this.#nextProbe - this.#clock()
    // More is left only if the clock was set back.
    return left <= 0 || left > longestPause
  }
}
