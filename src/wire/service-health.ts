import { isRedirect } from './answer.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { RefusedError, TimeoutError, UnavailableError, UpstreamError } from '../errors/errors.ts'
import { obstacleIn } from './obstacle.ts'
import type { Obstacle } from './obstacle.ts'
import type { Incoming } from './transport.ts'

/**
 * Milliseconds for which the last failure or refusal is reported: nobody may have asked since. Longer than the
 * alert of degraded parts waits, so that it fires also if only one query every few minutes fails.
 */
export const toldFor = 10 * 60_000

interface Failing {
  readonly since: number
  readonly last: number
  readonly reason: string
}

/** Whether the service answers, as its recent requests show. */
export class ServiceHealth {
  readonly breaker: CircuitBreaker
  readonly #clock: () => number
  readonly #listeners: ((obstacle: Obstacle) => void)[] = []
  #failing: Failing | null = null

  constructor(clock: () => number, mostFailures?: number) {
    this.#clock = clock
    this.breaker = new CircuitBreaker(clock, mostFailures)
  }

  /**
   * Notes an answer, and the error that it was read as, if any. A failed service may answer with status 200
   * (specification §7). An error about the key, its plan or an argument shows that the service works.
   */
  answered({ status, failure }: Pick<Incoming, 'status' | 'failure'>, error: unknown = null): void {
    if (status === 429 || status >= 500) this.#fail(`It answers with status ${status}`)
    else if (failure instanceof UpstreamError) this.#fail('Its answers are cut off or too large')
    else if (failure) this.failed(failure)
    else if (isRedirect({ status })) this.#fail('It redirects to another address: see UPSTREAM_URL')
    else if (obstacleIn(error)) this.failed(error)
    else if (error instanceof UnavailableError) this.#fail('It says that it is not available')
    else if (error instanceof RefusedError) this.#refused(error)
    else if (error instanceof UpstreamError) this.#fail('Its answers are not as specified')
    else this.#failing = null
  }

  /** Notes a request without an answer. */
  failed(error: unknown): void {
    const obstacle = obstacleIn(error)
    if (obstacle) return this.#failBecause(obstacle)
    if (error instanceof UpstreamError) this.#fail('Its answers are cut off or too large')
    if (error instanceof TimeoutError) this.#fail('It does not answer in time')
    if (error instanceof UnavailableError) this.#fail('It cannot be reached')
  }

  /** The failure and its beginning; null if the last request was answered, or none was sent recently. */
  get trouble(): string | null {
    const failing = this.#failing
    if (!failing || this.#clock() - failing.last > toldFor) return null
    const cause = `${failing.reason} (since ${new Date(failing.since).toISOString()}).`
    return this.breaker.isOpen
      ? `${cause} Only one call every few seconds is sent, until one is answered.`
      : cause
  }

  /** Calls `listener` each time a request finds that the service cannot be reached. */
  onObstacle(listener: (obstacle: Obstacle) => void): void {
    this.#listeners.push(listener)
  }

  #failBecause(obstacle: Obstacle): void {
    this.#fail(`It cannot be reached: ${obstacle.reason}`)
    for (const listener of this.#listeners) listener(obstacle)
  }

  #refused({ isAboutArguments }: RefusedError): void {
    if (isAboutArguments) this.#failing = null
    else this.#fail('It answers with errors')
  }

  #fail(reason: string): void {
    const last = this.#clock()
    const isAgain = this.#failing !== null && last - this.#failing.last <= toldFor
    this.#failing = { reason, last, since: isAgain && this.#failing ? this.#failing.since : last }
  }
}
