import { rounded } from './rounded.ts'

/** The limits of one request; null for no limit. */
export interface Limits {
  readonly maxTokens: number | null
  readonly maxCalls: number | null
}

export const noLimits: Limits = { maxTokens: null, maxCalls: null }

/** Tokens of a request's limit that are reserved for one exchange with the service. */
export interface Share {
  /** Replaces the reservation by the bill. */
  settle(tokens: number): void
}

/** What a request has spent and reserved of its own limits. */
export class Allowance {
  readonly limits: Limits
  #tokens = 0
  /** Tokens reserved for pending calls. */
  #reserved = 0
  #calls = 0
  /** Whether the request was refused: it may make no further call. */
  hasEnded = false

  constructor(limits: Limits) {
    this.limits = limits
  }

  /**
   * Whether one more call at this estimate fits. While nothing is spent, a call may go out if it fits at the
   * lowest price (`cheaply`): its bill shows whether the latest price was right.
   */
  covers(tokens: number, cheaply = tokens): boolean {
    return this.coversTimes(1, this.#tokens === 0 ? Math.min(tokens, cheaply) : tokens)
  }

  /** Whether one more call fits even if it costs a multiple of its estimate. */
  coversTimes(times: number, tokens: number): boolean {
    const { maxTokens, maxCalls } = this.limits
    return (
      !this.hasEnded &&
      (maxTokens === null || this.#tokens + times * tokens <= maxTokens) &&
      (maxCalls === null || this.#calls < maxCalls)
    )
  }

  /** Tokens that are not spent or reserved; null without a limit. */
  get remaining(): number | null {
    const { maxTokens } = this.limits
    return maxTokens === null ? null : Math.max(0, rounded(maxTokens - this.#tokens))
  }

  /** Counts a call, however many tries it takes. */
  countCall(): void {
    this.#calls += 1
  }

  /** Takes back a call that was not sent. */
  uncountCall(): void {
    this.#calls = Math.max(0, this.#calls - 1)
  }

  /** Reserves an estimate; null if it does not fit. See `bears`. */
  reserve(tokens: number, cheaply = tokens): Share | null {
    const { maxTokens } = this.limits
    const least = this.#tokens === 0 ? Math.min(tokens, cheaply) : tokens
    if (this.hasEnded) return null
    if (maxTokens !== null && this.#tokens + least > maxTokens) return null
    this.#tokens += tokens
    this.#reserved += tokens
    return {
      settle: (billed) => {
        this.#tokens += billed - tokens
        this.#reserved -= tokens
      },
    }
  }

  end(): void {
    this.hasEnded = true
  }

  /** Starts again, for each event of a subscription. Pending calls stay counted. */
  renew(): void {
    this.hasEnded = false
    this.#tokens = this.#reserved
    this.#calls = 0
  }
}
