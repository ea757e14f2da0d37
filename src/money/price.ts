/** Bytes of the billing unit. A unit costs one token until bills show another price. */
export const bytesPerToken = 1024

/** The weight of each bill with a lower price. A higher price is taken over at once. */
const fallWeight = 0.25

/** Bills from which the lowest price of an operation is believed. */
const enoughBills = 3

/** The lowest price of an operation, and the number of bills that it is made of. */
interface Least {
  price: number
  bills: number
}

/** Started units: an answer of two bytes is billed as one unit. */
const unitsOf = (bytes: number) => Math.max(1, Math.ceil(bytes / bytesPerToken))

/**
 * The price of each operation in tokens per started unit, learned from bills. A rise is taken over from the
 * first bill, so that no second call is reserved too low. An operation without bills is assumed to cost the
 * average of the others.
 */
export class Prices {
  readonly #perUnit = new Map<string, number>()
  readonly #least = new Map<string, Least>()
  /** Bills since the last rise of any price. */
  #billed = { units: 0, tokens: 0 }

  tokens(operation: string, bytes: number): number {
    return tokensAt(this.#perUnit.get(operation) ?? this.#average(), bytes)
  }

  /**
   * The same at the lowest price of the operation so far, so that one dear bill does not refuse queries: a
   * refused query brings no bill that would show the price again.
   */
  leastTokens(operation: string, bytes: number): number {
    const { price, bills } = this.#least.get(operation) ?? { price: 1, bills: 0 }
    return Math.min(
      this.tokens(operation, bytes),
      tokensAt(bills < enoughBills ? Math.min(1, price) : price, bytes),
    )
  }

  learn(operation: string, bytes: number, tokens: number): void {
    const units = unitsOf(bytes)
    const seen = tokens / units
    const before = this.#perUnit.get(operation)
    const price = before ?? this.#average()
    // One token is the minimum bill, so for a small answer it says nothing about the price.
    if (tokens <= 1 && seen >= price) return
    this.#learnLeast(operation, units, seen)
    const isRise = seen > price
    if (isRise) this.#billed = { units, tokens }
    else this.#billed = { units: this.#billed.units + units, tokens: this.#billed.tokens + tokens }
    this.#perUnit.set(
      operation,
      isRise || before === undefined ? seen : before + fallWeight * (seen - before),
    )
  }

  /** A small answer may have cost a minimum, so it does not raise the lowest price. */
  #learnLeast(operation: string, units: number, seen: number): void {
    const least = this.#least.get(operation)
    if (units === 1 && seen > (least?.price ?? 1)) return
    if (least) {
      least.price = Math.min(least.price, seen)
      least.bills += 1
    } else this.#least.set(operation, { price: seen, bills: 1 })
  }

  /** A separate copy. */
  copy(): Prices {
    const copy = new Prices()
    for (const [operation, price] of this.#perUnit) copy.#perUnit.set(operation, price)
    for (const [operation, least] of this.#least) copy.#least.set(operation, { ...least })
    copy.#billed = { ...this.#billed }
    return copy
  }

  /** What was learned, as JSON. */
  toJSON() {
    return {
      perUnit: Object.fromEntries(this.#perUnit),
      least: Object.fromEntries(this.#least),
      billed: this.#billed,
    }
  }

  /** Prices that start from saved ones. Invalid figures are ignored. */
  static from(learned: unknown): Prices {
    const prices = new Prices()
    const { perUnit, least, billed } = (learned ?? {}) as Record<string, unknown> // each is looked at
    for (const [operation, price] of Object.entries(perUnit ?? {}))
      if (isFigure(price)) prices.#perUnit.set(operation, price)
    for (const [operation, value] of Object.entries(least ?? {})) {
      const { price, bills } = (value ?? {}) as Record<string, unknown> // both are looked at
      if (isFigure(price) && isFigure(bills)) prices.#least.set(operation, { price, bills })
    }
    const { units, tokens } = (billed ?? {}) as { units?: unknown; tokens?: unknown } // both are looked at
    if (isFigure(units) && isFigure(tokens)) prices.#billed = { units, tokens }
    return prices
  }

  #average(): number {
    const { units, tokens } = this.#billed
    return units === 0 ? 1 : tokens / units
  }
}

// Bytes may be an average, so a rounding error must not start another unit.
const tokensAt = (price: number, bytes: number) => Math.max(1, Math.ceil(unitsOf(bytes) * price - 1e-9))

const isFigure = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value)
