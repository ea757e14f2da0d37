import { readFragment, GameCardFragmentDoc } from 'statline-client'
import type { ScoreboardQuery } from 'statline-client'
import { readTeam } from '../parts/team-name.tsx'
import { phaseOf } from './state.ts'
import type { Phase } from './state.ts'
import type { CardKey } from './game-card.tsx'

export type DaysGames = NonNullable<NonNullable<ScoreboardQuery['league']>['games']>
export type DaysGame = DaysGames[number]

/** A game of a list with what it is sorted and filtered by. */
export interface Listed {
  readonly gameId: string
  /** The newest state of the game. */
  readonly card: CardKey
  readonly phase: Phase
  readonly teamIds: readonly string[]
  readonly conferenceIds: readonly string[]
}

/** A game of a day, with its newest state where one was heard. */
export function listed(game: DaysGame, newest: CardKey | undefined): Listed {
  const card = newest ?? game
  const { homeTeam, awayTeam, ...state } = readFragment(GameCardFragmentDoc, card)
  const conferences = [game.homeTeam?.conference, game.awayTeam?.conference]
  return {
    gameId: game.gameId,
    card,
    phase: phaseOf(state),
    teamIds: [homeTeam, awayTeam].flatMap((team) => readTeam(team)?.teamId ?? []),
    conferenceIds: conferences.flatMap((conference) => conference?.conferenceId ?? []),
  }
}

/** The conferences of the teams of some games, without duplicates, by name. */
export function conferencesOf(games: DaysGames): readonly (readonly [string, string])[] {
  const known = new Map(
    games
      .flatMap(({ homeTeam, awayTeam }) => [homeTeam?.conference, awayTeam?.conference])
      .flatMap((conference) =>
        conference ? [[conference.conferenceId, conference.name ?? 'Conference'] as const] : [],
      ),
  )
  return [...known].toSorted(([, a], [, b]) => a.localeCompare(b))
}

export interface Group {
  readonly title: string
  readonly games: readonly Listed[]
}

const order: readonly (readonly [Phase, string])[] = [
  ['live', 'Live'],
  ['upcoming', 'Upcoming'],
  ['final', 'Final'],
  ['off', 'Not played'],
]

/** The reader’s favourites first, then live games, those to come, and those that are over. */
export function grouped(games: readonly Listed[], favourites: ReadonlySet<string>): readonly Group[] {
  const isFavourite = ({ teamIds }: Listed) => teamIds.some((id) => favourites.has(id))
  const inOrder = order.map(([phase, title]) => ({
    title,
    games: games.filter((game) => game.phase === phase && !isFavourite(game)),
  }))
  const phases = order.map(([phase]) => phase)
  const own = games.filter(isFavourite).toSorted((a, b) => phases.indexOf(a.phase) - phases.indexOf(b.phase))
  return [{ title: 'Your teams', games: own }, ...inOrder].filter((group) => group.games.length > 0)
}
