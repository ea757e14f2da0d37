import type { Purpose, User } from '../money/purpose.ts'
import type { Booked } from '../money/booked.ts'
import type { Prepaid } from '../money/prepaid.ts'

/** Maximum kinds of plans whose cost is remembered. */
const mostKinds = 1_000

/** How much a cheaper plan lowers what the next one is expected to cost. */
const fallWeight = 0.25

/** What a kind of plan has reserved. */
interface Cost {
  readonly tokens: number
  /** The service's operation of its first call. */
  readonly service: string
}

/**
 * What the calls of each loader have reserved, by how many things it was asked for. If instances share a
 * ledger, the same is reserved before the next such calls are planned, in the round trip that fetches what
 * other instances have bought.
 */
export class UsualCosts {
  readonly #costs = new Map<string, Cost>()

  of(kind: string): Cost | undefined {
    return this.#costs.get(kind)
  }

  learn(kind: string, { tokens, service }: Cost): void {
    const before = this.#costs.get(kind)?.tokens ?? 0
    if (this.#costs.size >= mostKinds) this.#costs.clear()
    const usual = tokens > before ? tokens : Math.ceil(before + fallWeight * (tokens - before))
    this.#costs.set(kind, { tokens: usual, service })
  }
}

/** The account whose calls are planned. */
interface Payer {
  prepayment: Prepayment | null
  readonly upstream: { readonly usualCosts: UsualCosts }
  prepay(tokens: number, purpose: Purpose): Promise<Prepaid | null> | null
}

/** A reservation, made in advance, for the calls that one loader plans in one turn of the event loop. */
export class Prepayment {
  readonly #account: Payer
  readonly #kind: string
  #prepaid: Prepaid | null = null
  #tokens = 0
  #service: string | null = null

  /** `count` is the number of things that the loader misses. Plans of similar size are of one kind. */
  constructor(account: Payer, loader: string, count: number) {
    this.#account = account
    this.#kind = `${loader} ${Math.floor(Math.log2(count))}`
  }

  /**
   * Reserves what such calls have cost before; undefined if nothing is known, or reservations here do not
   * wait for a round trip.
   */
  prepay({ client, operation }: Pick<User, 'client' | 'operation'>): Promise<void> | undefined {
    const cost = this.#account.upstream.usualCosts.of(this.#kind)
    if (!cost) return undefined
    const { tokens, service } = cost
    const purpose: Purpose = { service, users: [{ client, operation, rows: 1 }], calls: 1 }
    return this.#account.prepay(tokens, purpose)?.then((prepaid) => {
      this.#prepaid = prepaid
    })
  }

  /** Plans the calls. Those that it sends at once draw on the reservation. */
  plan<T>(plan: () => T): T {
    const outer = this.#account.prepayment
    this.#account.prepayment = this
    try {
      return plan()
    } finally {
      this.#account.prepayment = outer
      this.#prepaid?.end()
      if (this.#service !== null)
        this.#account.upstream.usualCosts.learn(this.#kind, { tokens: this.#tokens, service: this.#service })
    }
  }

  /** Reserves a call's tokens from what is prepaid; null if that does not cover them. */
  draw(tokens: number, purpose: Purpose): Booked | null {
    this.#tokens += tokens
    this.#service ??= purpose.service
    return this.#prepaid?.draw(tokens, purpose) ?? null
  }
}
