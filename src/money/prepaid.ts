import { noBill } from './bill.ts'
import type { Booked } from './booked.ts'
import type { Purpose } from './purpose.ts'

/** Reserves tokens that a larger, granted reservation covers. */
type Cover = (tokens: number, purpose: Purpose) => Booked | null

/**
 * Tokens that were reserved and recorded for several calls before it was known which calls they are. A call
 * that draws on it may be sent at once: if this process is killed now, this reservation is booked for it.
 */
export class Prepaid {
  readonly #purpose: Purpose
  readonly #cover: Cover
  #left: number
  /** The reservation; null once a call has taken it over. */
  #booked: Booked | null

  constructor(booked: Booked, purpose: Purpose, cover: Cover) {
    this.#booked = booked
    this.#purpose = purpose
    this.#cover = cover
    this.#left = booked.tokens
  }

  /** Reserves a call's tokens; null if there are not enough left, or a budget here refuses them. */
  draw(tokens: number, purpose: Purpose): Booked | null {
    if (tokens > this.#left) return null
    const booked = this.#taken(tokens, purpose) ?? this.#cover(tokens, purpose)
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
    if (!booked || !isSame(purpose, this.#purpose)) return null
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
    payer.operation === expected.operation &&
    one.users.every(({ client }) => client === payer.client)
  )
}
