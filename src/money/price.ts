/** Bytes of the billing unit. A unit costs one token until bills show another price. */
export const bytesPerToken = 1024

/** The weight of each bill with a lower price. A higher price is taken over at once. */
const fallWeight = 0.25

/** Started units: an answer of two bytes is billed as one unit. */
const unitsOf = (bytes: number) => Math.max(1, Math.ceil(bytes / bytesPerToken))

/**
 * The price of each operation in tokens per started unit, learned from bills. A rise is taken over from the
 * first bill, so that no second call is reserved too low. An operation without bills is assumed to cost the
 * average of the others.
 */
export class Prices {
  readonly #perUnit = new Map<string, number>()
  /** Bills since the last rise of any price. */
  #billed = { units: 0, tokens: 0 }

  tokens(operation: string, bytes: number): number {
    const price = this.#perUnit.get(operation) ?? this.#average()
    // Bytes may be an average, so a rounding error must not start another unit.
    return Math.max(1, Math.ceil(unitsOf(bytes) * price - 1e-9))
  }

  learn(operation: string, bytes: number, tokens: number): void {
    const units = unitsOf(bytes)
    const seen = tokens / units
    const before = this.#perUnit.get(operation)
    const price = before ?? this.#average()
    // One token is the minimum bill, so for a small answer it says nothing about the price.
    if (tokens <= 1 && seen >= price) return
    const isRise = seen > price
    if (isRise) this.#billed = { units, tokens }
    else this.#billed = { units: this.#billed.units + units, tokens: this.#billed.tokens + tokens }
    this.#perUnit.set(
      operation,
      isRise || before === undefined ? seen : before + fallWeight * (seen - before),
    )
  }

  /** A separate copy. */
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

  /** Prices that start from saved ones. Invalid figures are ignored. */
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
