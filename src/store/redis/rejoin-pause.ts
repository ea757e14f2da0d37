/** Milliseconds between two attempts to use Redis again, after its uses have failed soon: first and longest. */
const [first, longest] = [500, 10_000]

/** A Redis that was used for so many milliseconds counts as healthy. */
const settledAfter = 10_000

/**
 * How long Redis is left alone after it was in use and failed. If it fails soon each time, for example because
 * its replies take as long as the limit, the pause grows. Otherwise the instance would join and leave twice a
 * second.
 */
export class RejoinPause {
  #joinedAt = Number.NEGATIVE_INFINITY
  #ms = 0
  #until = Number.NEGATIVE_INFINITY

  /** Whether Redis is still left alone. Times are those of `performance.now()`. */
  isOn(now: number): boolean {
    return now < this.#until
  }

  joined(now: number): void {
    this.#joinedAt = now
  }

  left(now: number): void {
    const isSoon = now - this.#joinedAt < settledAfter
    this.#ms = isSoon ? Math.min(longest, Math.max(first, 2 * this.#ms)) : 0
    this.#until = now + this.#ms
  }
}
