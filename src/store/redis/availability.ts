import { RejoinPause } from './rejoin-pause.ts'
import type { RedisTimes } from './redis-times.ts'

/** Called with the reason each time Redis goes away, and with null when it is back. */
export type OnChange = (reason: string | null) => void

/** Whether Redis is in use, and if not, why. Tells listeners when that changes. */
export class Availability {
  #reason: string | null = 'Redis is not connected yet.'
  readonly #listeners: OnChange[] = []
  readonly #pause: RejoinPause

  constructor(times: RedisTimes) {
    this.#pause = new RejoinPause(times)
  }

  /** Why Redis is not used; null while it is. It contains neither an address nor a password. */
  get reason(): string | null {
    return this.#reason
  }

  get isUp(): boolean {
    return this.#reason === null
  }

  /** Whether Redis is left alone, because it failed soon after it was joined. */
  get isPaused(): boolean {
    return this.#pause.isOn(performance.now())
  }

  onChange(listener: OnChange): void {
    this.#listeners.push(listener)
  }

  /** Sets the reason. Listeners hear of it only if Redis was in use and is not any more, or the reverse. */
  change(reason: string | null): void {
    const isSame = (reason === null) === this.isUp
    this.#reason = reason
    if (isSame) return
    if (reason === null) this.#pause.joined(performance.now())
    else this.#pause.left(performance.now())
    for (const listener of this.#listeners) listener(reason)
  }
}
