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

/**
 * Tokens that were reserved and recorded for several calls before it was known which calls they are. A call
 * that draws on it may be sent at once: if this process is killed now, this reservation is booked for it.
 */
export class Prepaid {
  readonly #purpose: Purpose
  readonly #use: Use
  #left: number
  /** The reservation; null once a call has taken it over. */
  #booked: Booked | null

  constructor(booked: Booked, purpose: Purpose, use: Use) {
    this.#booked = booked
    this.#purpose = purpose
    this.#use = use
    this.#left = booked.tokens
  }

  /** Reserves a call's tokens; null if there are not enough left, or a budget here refuses them. */
  draw(tokens: number, purpose: Purpose): Booked | null {
    if (tokens > this.#left) return null
    const booked = this.#taken(tokens, purpose) ?? this.#use.cover(tokens, purpose)
    if (booked) this.#left -= tokens
    return booked
  }

  /** Gives back what no call has drawn. Calls that were covered are recorded in the same write. */
  end(): void {
    this.#booked?.settle(noBill)
    this.#booked = null
    this.#left = 0
  }

  /** The first call for the expected purpose takes the reservation over and needs no record of its own. */
  #taken(tokens: number, purpose: Purpose): Booked | null {
    const booked = this.#booked
    if (!booked || !isSame(purpose, this.#purpose) || !this.#use.isOwn(purpose)) return null
    this.#booked = null
    return { ...booked, tokens, written: undefined, settle: (bill) => booked.settle(bill, purpose) }
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
