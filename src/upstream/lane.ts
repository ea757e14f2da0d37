import pLimit from 'p-limit'
import { TimeoutError } from './errors.ts'

/** A call that waited for its turn while the service had fallen silent: it never went out, and costs nothing. */
export class UnsentError extends TimeoutError {}

/**
 * So many calls at once, and the others in turn. Waiting is no fault of the service's while it answers, however slowly; where it has
 * fallen silent, who waits is not kept for longer than those before it were.
 */
export class Lane {
  readonly #limit
  /** When a call last came to an end of any kind but silence, and when one last ran out of time. */
  #heardAt = Number.NEGATIVE_INFINITY
  #silentAt = Number.NEGATIVE_INFINITY

  constructor(width: number) {
    this.#limit = pLimit(width)
  }

  /** Makes a call in its turn. Throws UnsentError where all that came back since it was asked for ran out of time. */
  run<T>(call: () => Promise<T>): Promise<T> {
    const asked = performance.now()
    return this.#limit(() => {
      if (this.#silentAt >= asked && this.#heardAt < asked)
        throw new UnsentError('The statistics service did not answer in time.')
      return this.#watched(call)
    })
  }

  async #watched<T>(call: () => Promise<T>): Promise<T> {
    try {
      const answer = await call()
      this.#heardAt = performance.now()
      return answer
    } catch (error) {
      if (error instanceof TimeoutError) this.#silentAt = performance.now()
      else this.#heardAt = performance.now()
      throw error
    }
  }
}
