import { monthOfDay, negative } from './ledger-store.ts'
import type { Change, Spending } from './ledger-store.ts'
import { rounded } from './rounded.ts'

type Summed = Pick<Spending, 'day' | 'key' | 'client' | 'tokens' | 'estimated' | 'bytes' | 'calls'>

/** Names contain no line breaks. */
const idOf = ({ day, key, client }: Summed) => [monthOfDay(day), key, client].join('\n')

const isNothing = ({ tokens, estimated, bytes, calls }: Summed) =>
  tokens === 0 && estimated === 0 && bytes === 0 && calls === 0

const sum = (one: Summed, other: Summed | undefined): Summed =>
  other
    ? {
        ...one,
        tokens: rounded(one.tokens + other.tokens),
        estimated: rounded(one.estimated + other.estimated),
        bytes: one.bytes + other.bytes,
        calls: one.calls + other.calls,
      }
    : one

/** What a change adds to a ledger in which open reservations count as estimated. */
export const addedBy = (change: Change): readonly Spending[] =>
  change.kind === 'open' ? [change.opened] : [negative(change.opened), ...change.spent]

/** Months that are known. A `Ledger` keeps as many. */
const mostMonths = 13

/**
 * What this process knows of a ledger that other processes may write too, by month, key and client: the
 * ledger when it was read, and what this process itself has added since. Open reservations are included, so it
 * does not matter whether another process has already booked them as estimated.
 */
export class KnownSpending {
  readonly #known = new Map<string, Summed>()
  /** The months that were learned, the last one at the end. */
  readonly #months = new Set<string>()

  add(added: readonly Summed[]): void {
    for (const one of added) this.#set(idOf(one), sum(one, this.#known.get(idOf(one))))
  }

  /** Forgets the month whose turn was the longest ago. A clock that is set back finds a year's months as they were. */
  #remember(month: string): void {
    this.#months.delete(month)
    this.#months.add(month)
    const [oldest] = this.#months
    if (this.#months.size <= mostMonths || oldest === undefined) return
    this.#months.delete(oldest)
    for (const [id, { day }] of this.#known) if (monthOfDay(day) === oldest) this.#known.delete(id)
  }

  /** How a month of the ledger differs from what is known: by what others have added. It is known from now on. */
  learn(month: string, ledger: readonly Spending[]): readonly Summed[] {
    const differences = new Map<string, Summed>()
    const ofMonth = [...ledger, ...[...this.#known.values()].map(negative)].filter(
      ({ day }) => monthOfDay(day) === month,
    )
    for (const one of ofMonth) differences.set(idOf(one), sum(one, differences.get(idOf(one))))
    const others = [...differences.values()].filter((one) => !isNothing(one))
    this.add(others)
    this.#remember(month)
    return others
  }

  #set(id: string, sums: Summed): void {
    if (isNothing(sums)) this.#known.delete(id)
    else this.#known.set(id, sums)
  }
}
