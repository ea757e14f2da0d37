/** Bytes of the unit in which answers are billed, each a token until bills say otherwise. */
export const bytesPerToken = 1024

/** How much of a lower price each answer is believed. A higher one is believed at once. */
const fallWeight = 0.25

/** Begun units: an answer of two bytes is billed as one unit. */
const unitsOf = (bytes: number) => Math.max(1, Math.ceil(bytes / bytesPerToken))

/**
 * The price of each operation in tokens per begun unit, learned from bills. A rise is taken over from the
 * first bill that shows it, so that no second call is reserved too low. An operation that has not been billed
 * costs what the others cost on average.
 */
export class Prices {
  readonly #perUnit = new Map<string, number>()
  /** Bills since the last rise of any price. */
  #billed = { units: 0, tokens: 0 }

  tokens(operation: string, bytes: number): number {
    const price = this.#perUnit.get(operation) ?? this.#average()
    // Bytes may be an average of rows. A rounding error must not begin another token.
    return Math.max(1, Math.ceil(unitsOf(bytes) * price - 1e-9))
  }

  learn(operation: string, bytes: number, tokens: number): void {
    const units = unitsOf(bytes)
    const seen = tokens / units
    const before = this.#perUnit.get(operation)
    const price = before ?? this.#average()
    // One token is the least that is billed: for a small answer it is no price.
    if (tokens <= 1 && seen >= price) return
    const isRise = seen > price
    if (isRise) this.#billed = { units, tokens }
    else this.#billed = { units: this.#billed.units + units, tokens: this.#billed.tokens + tokens }
    this.#perUnit.set(
      operation,
      isRise || before === undefined ? seen : before + fallWeight * (seen - before),
    )
  }

  /** Prices that start from these and go their own way. */
  copy(): Prices {
    const copy = new Prices()
    for (const [operation, price] of this.#perUnit) copy.#perUnit.set(operation, price)
    copy.#billed = { ...this.#billed }
    return copy
  }

  /** What was learned, as JSON. */
  toJSON() {
    return { perUnit: Object.fromEntries(this.#perUnit), billed: this.#billed }
  }

  /** Prices that start from what was learned elsewhere. Figures that are none are passed over. */
  static from(learned: unknown): Prices {
    const prices = new Prices()
    const { perUnit, billed } = (learned ?? {}) as { perUnit?: unknown; billed?: unknown } // both are looked at
    for (const [operation, price] of Object.entries(perUnit ?? {}))
      if (isFigure(price)) prices.#perUnit.set(operation, price)
    const { units, tokens } = (billed ?? {}) as { units?: unknown; tokens?: unknown } // both are looked at
    if (isFigure(units) && isFigure(tokens)) prices.#billed = { units, tokens }
    return prices
  }

  #average(): number {
    const { units, tokens } = this.#billed
    return units === 0 ? 1 : tokens / units
  }
}

const isFigure = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value)
