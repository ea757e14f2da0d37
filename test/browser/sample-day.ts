import type { Server } from '../server.ts'

/** The day at which the tests' sample league stands. */
export const date = '2026-02-14'

interface Day {
  readonly league: {
    readonly games: readonly {
      readonly gameId: string
      readonly status: string
      readonly season: number
      readonly homeScore: number
      readonly homeTeam: {
        readonly teamId: string
        readonly name: string
        readonly conferenceId: string
        readonly roster: readonly { readonly playerId: string }[]
      }
    }[]
  }
}

/** A finished game of the day with its home team, and a player of it. */
export async function finishedGame(server: Server) {
  const fields = 'gameId status season homeScore homeTeam { teamId name conferenceId roster { playerId } }'
  const { data } = await server.sample
    .graph()
    .query<Day>(`{ league { games(date: "${date}") { ${fields} } } }`)
  const game = data.league.games.find(({ status }) => status === 'final')
  if (!game) throw new Error('The sample day has no finished game.')
  return { ...game, playerId: game.homeTeam.roster[0]?.playerId ?? '' }
}

/** The address of each page, with a part that is there once it is loaded. */
export async function pagesOf(server: Server): Promise<Readonly<Record<string, readonly [string, string]>>> {
  const { gameId, season, homeTeam, playerId } = await finishedGame(server)
  return {
    games: [`/games/${date}`, '.card'],
    week: [`/week/${date}`, '.offer button, .card'],
    game: [`/game/${gameId}`, 'h1'],
    team: [`/team/${homeTeam.teamId}/${season}`, 'h1'],
    player: [`/player/${playerId}/${season}`, 'h1'],
    standings: [`/conference/${homeTeam.conferenceId}/${season}`, 'main table'],
    leaders: [`/leaders/teams/points/${season}`, 'main table, .offer button'],
    leagues: ['/leagues', '.leagues a'],
    nothing: ['/games/2026-02-31', 'h1'],
  }
}
