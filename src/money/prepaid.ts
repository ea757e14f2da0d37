import { noBill } from './bill.ts'
import type { Booked } from './booked.ts'
import type { Purpose } from './purpose.ts'

/** What a reservation in advance may be used for. */
interface Use {
  /** Whether all users of a call are of the client budget for which the reservation was granted. */
  readonly isOwn: (purpose: Purpose) => boolean
  /** Reserves tokens that the larger, granted reservation covers; null if a budget refuses them. */
  readonly cover: (tokens: number, purpose: Purpose) => Booked | null
}

/** A call that has drawn, as long as no other one has. */
interface Only {
  readonly tokens: number
  readonly purpose: Purpose
  /** First the whole reservation, then its own. */
  booked: Booked
}

/**
 * Tokens that were reserved and recorded for several calls before it was known which calls they are. A call
 * that draws on it may be sent at once: if this process is killed now, this reservation is booked for it.
 */
export class Prepaid {
  readonly #purpose: Purpose
  readonly #use: Use
  #left: number
  #isDrawn = false
  /** The reservation, if no call uses it. */
  #booked: Booked | null
  /** The only call so far, if it uses the reservation. */
  #only: Only | null = null

  constructor(booked: Booked, purpose: Purpose, use: Use) {
    this.#booked = booked
    this.#purpose = purpose
    this.#use = use
    this.#left = booked.tokens
  }

  /** Reserves a call's tokens; null if there are not enough left, or a budget here refuses them. */
  draw(tokens: number, purpose: Purpose): Booked | null {
    if (tokens > this.#left) return null
    const booked = this.#taken(tokens, purpose) ?? this.#covered(tokens, purpose)
    if (!booked) return null
    this.#left -= tokens
    this.#isDrawn = true
    return booked
  }

  /**
   * Gives the reservation back, unless its only call uses it. It has to be called in the turn of the draws:
   * then the calls that were covered are recorded in the same write, and each token is reserved once.
   */
  end(): void {
    this.#booked?.settle(noBill)
    this.#booked = null
    this.#only = null
    this.#left = 0
  }

  /** The first call for the expected purpose takes the reservation over, and needs no write if it stays alone. */
  #taken(tokens: number, purpose: Purpose): Booked | null {
    if (!this.#booked || this.#isDrawn) return null
    if (!isSame(purpose, this.#purpose) || !this.#use.isOwn(purpose)) return null
    const only: Only = { tokens, purpose, booked: this.#booked }
    this.#booked = null
    this.#only = only
    return {
      tokens,
      written: undefined,
      book: (reported) => only.booked.book(reported),
      settle: (bill) => {
        if (this.#only === only) this.#only = null
        only.booked.settle(bill, purpose)
      },
    }
  }

  #covered(tokens: number, purpose: Purpose): Booked | null {
    return this.#isFreed() ? this.#use.cover(tokens, purpose) : null
  }

  /** Gives the only call a reservation of its own. False if a budget here refuses it. */
  #isFreed(): boolean {
    const only = this.#only
    if (!only) return true
    const own = this.#use.cover(only.tokens, only.purpose)
    if (!own) return false
    this.#booked = only.booked
    only.booked = own
    this.#only = null
    return true
  }
}

function isSame(one: Purpose, other: Purpose): boolean {
  const [payer, expected] = [one.users[0], other.users[0]]
  return (
    one.service === other.service &&
    one.calls === other.calls &&
    payer.client === expected.client &&
    payer.operation === expected.operation
  )
}
