/** What one request may cost; null for no bound. */
export interface Limits {
  readonly maxTokens: number | null
  readonly maxCalls: number | null
}

export const noLimits: Limits = { maxTokens: null, maxCalls: null }

/** Tokens of a request's limit that are set aside for one exchange with the service. */
export interface Share {
  /** Replaces what was set aside with what was billed. */
  settle(tokens: number): void
}

/** What a request has spent and set aside of its own limits. */
export class Allowance {
  readonly limits: Limits
  #tokens = 0
  /** Those of the tokens that are set aside for calls under way. */
  #reserved = 0
  #calls = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** Whether one more call of so many tokens fits. */
  bears(tokens: number): boolean {
    return this.bearsTimes(1, tokens)
  }

  /** Whether one more call fits, even if it costs so many times its estimate. */
  bearsTimes(times: number, tokens: number): boolean {
    const { maxTokens, maxCalls } = this.limits
    return (
      (maxTokens === null || this.#tokens + times * tokens <= maxTokens) &&
      (maxCalls === null || this.#calls < maxCalls)
    )
  }

  /** Counts a call, however many tries it takes. */
  countCall(): void {
    this.#calls += 1
  }

  /** Sets an estimate aside; null where it does not fit. */
  reserve(tokens: number): Share | null {
    const { maxTokens } = this.limits
    if (maxTokens !== null && this.#tokens + tokens > maxTokens) return null
    this.#tokens += tokens
    this.#reserved += tokens
    return {
      settle: (billed) => {
        this.#tokens += billed - tokens
        this.#reserved -= tokens
      },
    }
  }

  /** Begins anew, as each event of a subscription does. Calls still under way stay counted. */
  renew(): void {
    this.#tokens = this.#reserved
    this.#calls = 0
  }
}
