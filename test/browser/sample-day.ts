import type { Scope } from '../../src/graph/scope.ts'
import type { Server } from '../server.ts'

/** The day at which the tests' sample league stands. */
export const date = '2026-02-14'

interface Side {
  readonly teamId: string
  readonly name: string
  readonly char6: string
  readonly conferenceId: string
  readonly roster: readonly { readonly playerId: string; readonly lastName: string }[]
}

export interface SampleGame {
  readonly gameId: string
  readonly status: string
  readonly season: number
  readonly homeScore: number
  readonly awayScore: number
  readonly homeTeam: Side
  readonly awayTeam: Side
}

/** The games of the day, read directly from the service, so that the tested graph has bought none of them. */
export async function gamesOfDay({ sample }: Server, defaults?: Scope): Promise<readonly SampleGame[]> {
  const side = '{ teamId name char6 conferenceId roster { playerId lastName } }'
  const fields = `gameId status season homeScore awayScore homeTeam ${side} awayTeam ${side}`
  const { data } = await sample.graph(defaults ? { defaults } : {}).query<{
    league: { games: readonly SampleGame[] }
  }>(`{ league { games(date: "${date}") { ${fields} } } }`)
  return data.league.games
}

/** A finished game of the day with its teams, and a player of the home team. */
export async function finishedGame(server: Server, defaults?: Scope) {
  const game = (await gamesOfDay(server, defaults)).find(({ status }) => status === 'final')
  if (!game) throw new Error('The sample day has no finished game.')
  return { ...game, playerId: game.homeTeam.roster[0]?.playerId ?? '' }
}

/** The address of each page, with a part that is there once it is loaded. */
export async function pagesOf(server: Server): Promise<Readonly<Record<string, readonly [string, string]>>> {
  const { gameId, season, homeTeam, awayTeam, playerId } = await finishedGame(server)
  const team = `/team/${homeTeam.teamId}/${season}`
  return {
    games: [`/games/${date}`, '.card'],
    week: [`/week/${date}`, '.offer button, .card'],
    game: [`/game/${gameId}`, '.movement'],
    'game-boxscore': [`/game/${gameId}/boxscore`, '.sortable'],
    'game-odds': [`/game/${gameId}/odds`, '.sortable'],
    'game-matchup': [`/game/${gameId}/matchup`, '.versus'],
    'game-form': [`/game/${gameId}/form`, '.game-list'],
    team: [team, '.game-list'],
    'team-schedule': [`${team}/schedule`, '.sortable'],
    'team-statistics': [`${team}/statistics`, '.chart svg'],
    'team-roster': [`${team}/roster`, '.sortable'],
    player: [`/player/${playerId}/${season}`, '.sortable'],
    standings: [`/conference/${homeTeam.conferenceId}/${season}`, 'main table'],
    leaders: [`/leaders/teams/points/${season}`, 'main table, .offer button'],
    'leaders-ratings': ['/leaders', '.tiles'],
    'compare-teams': [`/compare/teams/${homeTeam.teamId}/${awayTeam.teamId}/${season}`, '.versus'],
    'compare-players': [`/compare/players/${playerId}/${awayTeam.roster[0]?.playerId}/${season}`, '.versus'],
    leagues: ['/leagues', '.leagues a'],
    nothing: ['/games/2026-02-31', 'h1'],
  }
}
