import { GameStateFragmentDoc, readFragment } from 'statline-client'
import type { FragmentType } from 'statline-client'
import { timeOf } from '../parts/numbers.ts'

export type StateKey = FragmentType<typeof GameStateFragmentDoc>

/** Where a game stands, as a scoreboard sorts it. `off`: it will not be played on its day. */
export type Phase = 'live' | 'upcoming' | 'final' | 'off'

const over = /^(final|complete|finished|closed|ended|official|full)/i
const off = /^(cancel|postpone|abandon|forfeit|suspend|void|no contest)/i

export function phaseOf(game: StateKey): Phase {
  const { status, currentPeriod, homeScore, awayScore } = readFragment(GameStateFragmentDoc, game)
  if (status && over.test(status)) return 'final'
  if (status && off.test(status)) return 'off'
  // The period may come later than the first points.
  return currentPeriod || (homeScore ?? 0) + (awayScore ?? 0) > 0 ? 'live' : 'upcoming'
}

export const isLive = (game: StateKey): boolean => phaseOf(game) === 'live'

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ')

/** The state of a game in words: `Final`, `1st Half 0:14`, `Postponed`, or its start in the reader's zone. */
export function stateOf(game: StateKey): string {
  const { status, currentPeriod, clock, startDatetime } = readFragment(GameStateFragmentDoc, game)
  switch (phaseOf(game)) {
    case 'final':
      return currentPeriod ?? 'Final'
    case 'off':
      return capitalized(status ?? '')
    case 'live':
      if (!currentPeriod) return 'In play'
      return clock && clock !== '0:00' ? `${currentPeriod} ${clock}` : currentPeriod
    case 'upcoming':
      return startDatetime ? timeOf(startDatetime) : 'Time to come'
  }
}
