/**
 * The time for which freshness is judged, in milliseconds since 1970. A request that accepts older rows
 * (`extensions.maxAge`) also has the time from which expired rows are accepted.
 */
export type Moment = number | LenientMoment

export interface LenientMoment {
  readonly at: number
  /** Rows bought after this time are accepted even if expired. */
  readonly since: number
  /** Called for each expired row, column or slot that is used. */
  readonly onExpired: (entry: Aging, boughtAt: number, part?: Part) => void
}

/** A part of an entry. */
export type Part = { readonly slot: string } | { readonly column: string }

/** The part of an entry that tells its age. */
export interface Aging {
  readonly boughtAt: number
  slotBoughtAt(name: string): number
  columnBoughtAt(name: string, now: number): number
}

export const timeOf = (moment: Moment): number => (typeof moment === 'number' ? moment : moment.at)

/** The same moment for values that are not in the answer. */
export const unseen = (moment: Moment): Moment =>
  typeof moment === 'number' ? moment : { ...moment, onExpired: () => {} }
