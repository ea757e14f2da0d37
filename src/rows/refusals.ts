/** How long a refusal is remembered. After that, an upgraded key is noticed. */
const rememberedFor = 5 * 60_000

/** Operations that a key's plan does not allow, as the service has said. */
export class Refusals {
  readonly #clock: () => number
  readonly #refusedAt = new Map<string, number>()
  #count = 0

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** How often an operation was refused that seemed to be allowed. */
  get count(): number {
    return this.#count
  }

  has(operation: string): boolean {
    const refusedAt = this.#refusedAt.get(operation)
    return refusedAt !== undefined && this.#clock() - refusedAt < rememberedFor
  }

  /** Adds a refusal, of now or an earlier time. */
  add(operation: string, refusedAt = this.#clock()): void {
    if (!this.has(operation)) this.#count += 1
    this.#refusedAt.set(operation, Math.max(refusedAt, this.#refusedAt.get(operation) ?? refusedAt))
  }

  /** Corrects times after `moment`, because the clock was ahead. */
  setBack(moment: number): void {
    for (const [operation, refusedAt] of this.#refusedAt)
      this.#refusedAt.set(operation, Math.min(refusedAt, moment))
  }

  copy(): Refusals {
    const copy = new Refusals(this.#clock)
    for (const [operation, refusedAt] of this.#refusedAt) copy.#refusedAt.set(operation, refusedAt)
    return copy
  }
}
