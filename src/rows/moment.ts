/**
 * When freshness is judged: in milliseconds since the epoch, or for a request that accepts older rows (`extensions.maxAge`), from when on
 * expired rows are as good as fresh ones.
 */
export type Moment = number | LenientMoment

export interface LenientMoment {
  readonly at: number
  /** Rows bought after it are accepted, expired or not. */
  readonly since: number
  /** Told of each expired row, or slot of one, that is used. */
  readonly onExpired: (entry: Aging, boughtAt: number, slot?: string) => void
}

/** An entry, as far as its age is concerned. */
export interface Aging {
  readonly boughtAt: number
  slotBoughtAt(name: string): number
}

export const timeOf = (moment: Moment): number => (typeof moment === 'number' ? moment : moment.at)
