import { GameStateFragmentDoc, readFragment } from 'statline-client'
import { stateOf } from '../games/game-card.tsx'
import type { StateKey } from '../games/game-card.tsx'
import { dayOf } from '../parts/numbers.ts'
import { href } from '../routing/href.ts'
import { Table } from '../parts/table.tsx'
import { readTeam, TeamLink } from '../parts/team-name.tsx'
import type { TeamKey } from '../parts/team-name.tsx'
import './schedule.css'

/** The local day and start of a game, by which games are sorted. */
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
  const won = (own ?? 0) > (other ?? 0)
  return {
    day: startDate ? dayOf(startDate) : '–',
    where: isHome ? 'vs' : 'at',
    opponent: isHome ? game.awayTeam : game.homeTeam,
    result: status === 'final' ? `${won ? 'Won' : 'Lost'} ${own}–${other}` : stateOf(game),
  }
}

export function Schedule({ games, teamId }: { games: readonly Played[]; teamId: string }) {
  return (
    <Table
      caption="Games of the season"
      words={3}
      columns={['Day', 'Opponent', 'Result']}
      rows={games.toSorted(byStart).map((game) => {
        const { gameId, season } = readFragment(GameStateFragmentDoc, game)
        const { day, where, opponent, result } = seenBy(game, teamId)
        return {
          key: gameId,
          cells: [
            day,
            <span key="opponent" className="opponent">
              {where} <TeamLink team={opponent} season={season} />
            </span>,
            <a key="result" href={href.game(gameId)}>
              {result}
            </a>,
          ],
        }
      })}
    />
  )
}
