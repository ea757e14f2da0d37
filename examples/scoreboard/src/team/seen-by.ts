import { GameStateFragmentDoc, readFragment } from 'statline-client'
import { isLive, stateOf } from '../games/state.ts'
import type { StateKey } from '../games/state.ts'
import { dayOf } from '../parts/numbers.ts'
import { readTeam } from '../parts/team-name.tsx'
import type { TeamKey } from '../parts/team-name.tsx'

/** The day and start of a game, by which games are sorted. */
export const startOf = (game: StateKey): string => {
  const { startDate, startDatetime } = readFragment(GameStateFragmentDoc, game)
  return `${startDate ?? ''} ${startDatetime ?? ''}`
}

export const byStart = (a: StateKey, b: StateKey) => (startOf(a) < startOf(b) ? -1 : 1)

export type Played = StateKey & { readonly homeTeam?: TeamKey; readonly awayTeam?: TeamKey }

/** A game from one team's view: where, against whom, and its result or start. */
export function seenBy(game: Played, teamId: string) {
  const { homeScore, awayScore, status, startDate } = readFragment(GameStateFragmentDoc, game)
  const isHome = readTeam(game.homeTeam)?.teamId === teamId
  const [own, other] = isHome ? [homeScore, awayScore] : [awayScore, homeScore]
  const isOver = status === 'final' && own != null && other != null
  const outcome = isOver && own !== other ? (own > other ? 'won' : 'lost') : null
  const letter = outcome === 'won' ? 'W' : outcome === 'lost' ? 'L' : 'T'
  return {
    day: startDate ? dayOf(startDate) : '–',
    isHome,
    where: isHome ? 'vs' : 'at',
    opponent: isHome ? game.awayTeam : game.homeTeam,
    outcome,
    own,
    other,
    /** The score so far of a game under way. */
    score: isLive(game) ? `${own}–${other}` : null,
    /** The result, else where the game stands. */
    text: isOver ? `${letter} ${own}–${other}` : stateOf(game),
  } as const
}
