import type { Ledger } from './ledger.ts'

/** Maximum keys with spending, of about 500 bytes each. */
const mostBilled = 100_000

/** Maximum keys without spending, kept for their number of calls. */
const mostUnbilled = 1_000

/**
 * The ledgers of keys. A key with a bill is not forgotten within its month. Above the maximum, ledgers with
 * estimates only are dropped; if there are none, calls of new keys are refused. Made-up keys, which the service
 * never bills, displace only each other.
 */
export class KeyLedgers {
  readonly #create: () => Ledger
  readonly #most: number
  readonly #billed = new Map<string, Ledger>()
  readonly #unbilled = new Map<string, Ledger>()

  constructor(create: () => Ledger, most = mostBilled) {
    this.#create = create
    this.#most = most
  }

  /** A key's ledger, which is new if it has none. It is kept once it is billed or unbilled. */
  of(name: string): Ledger {
    return this.kept(name) ?? this.#create()
  }

  /** A key's ledger, if it has one. */
  kept(name: string): Ledger | undefined {
    return this.#billed.get(name) ?? this.#unbilled.get(name)
  }

  all(): readonly Ledger[] {
    return [...this.#billed.values(), ...this.#unbilled.values()]
  }

  get size(): number {
    return this.#billed.size + this.#unbilled.size
  }

  /** Keeps the ledger of a key that has spent or reserved tokens. */
  bill(name: string, ledger: Ledger): void {
    this.#billed.set(name, ledger)
    this.#unbilled.delete(name)
  }

  /** Keeps the ledger of a key without tokens, among the latest of them. */
  unbill(name: string, ledger: Ledger): void {
    this.#billed.delete(name)
    this.#unbilled.set(name, ledger)
    for (const oldest of this.#unbilled.keys()) {
      if (this.#unbilled.size <= mostUnbilled) break
      this.#unbilled.delete(oldest)
    }
  }

  /** Keys have new names, by those before. */
  rename(names: ReadonlyMap<string, string>): void {
    for (const ledgers of [this.#billed, this.#unbilled])
      for (const [before, ledger] of ledgers) {
        const name = names.get(before)
        if (name === undefined) continue
        ledgers.delete(before)
        ledgers.set(name, ledger)
      }
  }

  /** Whether a key may be billed. Makes room where it can. */
  hasRoomFor(name: string): boolean {
    if (this.#billed.has(name) || this.#billed.size < this.#most) return true
    for (const [other, ledger] of this.#billed) {
      if (ledger.isReported) continue
      this.#billed.delete(other)
      return true
    }
    return false
  }
}
