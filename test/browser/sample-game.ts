import type { Scope } from '../../src/graph/scope.ts'
import type { Server } from '../server.ts'

/** The day on which the tests' sample league stands. */
export const date = '2026-02-14'

interface Side {
  readonly teamId: string
  readonly name: string
  readonly char6: string
  readonly roster: readonly { readonly playerId: string; readonly lastName: string }[]
}

export interface SampleGame {
  readonly gameId: string
  readonly status: string
  readonly season: number
  readonly homeScore: number
  readonly awayScore: number
  readonly startDatetime: string
  readonly homeTeam: Side
  readonly awayTeam: Side
}

/** The games of the sample day, asked for past the graph that is tested, so that it has paid for none of it. */
export async function sampleGames({ sample }: Server, defaults?: Scope): Promise<readonly SampleGame[]> {
  const side = '{ teamId name char6 roster { playerId lastName } }'
  const { data } = await sample
    .graph(defaults ? { defaults } : {})
    .query<{ league: { games: readonly SampleGame[] } }>(
      `{ league { games(date: "${date}") {
        gameId status season homeScore awayScore startDatetime homeTeam ${side} awayTeam ${side}
      } } }`,
    )
  return data.league.games
}

/** A finished game of the sample day. */
export async function finishedGame(server: Server, defaults?: Scope): Promise<SampleGame> {
  const game = (await sampleGames(server, defaults)).find(({ status }) => status === 'final')
  if (!game) throw new Error('The sample day has no finished game.')
  return game
}
