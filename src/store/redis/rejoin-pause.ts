import { redisTimes } from './redis-times.ts'
import type { RedisTimes } from './redis-times.ts'

/**
 * How long Redis is left alone after it was in use and failed. If it fails soon each time, for example because
 * its replies take as long as the limit, the pause grows. Otherwise the instance would join and leave twice a
 * second.
 */
export class RejoinPause {
  readonly #times: RedisTimes
  #joinedAt = Number.NEGATIVE_INFINITY
  #ms = 0
  #until = Number.NEGATIVE_INFINITY

  constructor(times = redisTimes) {
    this.#times = times
  }

  /** Whether Redis is still left alone. Times are those of `performance.now()`. */
  isOn(now: number): boolean {
    return now < this.#until
  }

  joined(now: number): void {
    this.#joinedAt = now
  }

  left(now: number): void {
    const { firstPause, longestPause, settledAfter } = this.#times
    const isSoon = now - this.#joinedAt < settledAfter
    this.#ms = isSoon ? Math.min(longestPause, Math.max(firstPause, 2 * this.#ms)) : 0
    this.#until = now + this.#ms
  }
}
