import { isWorthRoundTrip } from './round-trip.ts'
import type { Selection } from './selection.ts'

export interface PickedSizes {
  /** The games that are picked from the season, each on a day of its own. */
  readonly games: number
  /** Bytes of the season with the predictions and current odds of all its games, and without them. */
  readonly whole: number
  readonly list: number
  readonly oddsOfGame: number
  readonly scoresOfDay: number
  readonly bytesPerToken: number
}

/**
 * Whether to load predictions and current odds for the games that are picked from a season, once it is known
 * which they are, instead of for the whole season. That takes one more round trip, unless the season is known.
 */
export function readsPicked({ relations }: Selection, sizes: PickedSizes): boolean {
  const { games, whole, list, oddsOfGame, scoresOfDay, bytesPerToken } = sizes
  if (whole === list) return false
  const later = games * (relations.has('prediction') ? scoresOfDay : Math.min(oddsOfGame, scoresOfDay))
  const saved = whole - list - later
  return list === 0 ? saved > 0 : isWorthRoundTrip(saved, whole, bytesPerToken)
}

/** A selection without predictions and current odds. */
export const withoutLines = ({ columns, relations, links }: Selection): Selection => ({
  columns,
  relations: new Set([...relations].filter((name) => name !== 'prediction' && name !== 'current')),
  links,
})
