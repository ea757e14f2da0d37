import type { RequestListener } from 'node:http'
import type { Transport } from '../../src/wire/transport.ts'
import type { Json } from '../json.ts'
import { keyIn, rowsIn } from '../json.ts'
import { singly } from '../naive/asking.ts'
import { place } from './recording.ts'

/**
 * The least that can be done: parses the same two answers and prints the fields of the query, with no GraphQL
 * at all.
 */
export function proxy(transport: Transport, apiKey: string): RequestListener {
  const { once } = singly(transport, apiKey)
  const asked = { ...place, start_date: '2026-02-14' }
  const answer = async (): Promise<string> => {
    const [games, scores] = await Promise.all([once('game/getGames', asked), once('game/getScores', asked)])
    const list = rowsIn(games).toSorted((a, b) =>
      keyIn(a, 'start_datetime') < keyIn(b, 'start_datetime') ? -1 : 1,
    )
    return JSON.stringify({ data: { league: { games: list.map((game) => gameOf(game, scores)) } } })
  }
  return (request, response) => {
    request.resume()
    request.on('end', () => {
      void answer().then((body) => {
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        })
        response.end(body)
      })
    })
  }
}

function gameOf(row: Json, scores: Json): object {
  const id = keyIn(row, 'game_id')
  const teams = row['teams'] as Record<string, Json> // a game of getGames
  const { odds } = scores[id] as { odds: Record<'pre' | 'live', Json | null> } // an entry of getScores
  return {
    gameId: id,
    homeScore: row['home_score'],
    awayScore: row['away_score'],
    status: row['status'],
    currentPeriod: row['current_period'],
    clock: row['clock'],
    startDatetime: row['start_datetime'],
    homeTeam: teamOf(teams[keyIn(row, 'home_team_id')]),
    awayTeam: teamOf(teams[keyIn(row, 'away_team_id')]),
    odds: { pre: lineOf(odds.pre), live: lineOf(odds.live) },
  }
}

const teamOf = (row: Json | undefined) =>
  row && {
    teamId: row['team_id'],
    name: row['name'],
    char6: row['char6'],
    primaryColor: row['primary_color'],
  }

const lineOf = (row: Json | null) =>
  row && {
    spreadHome: row['spread_home'],
    spreadAway: row['spread_away'],
    over: row['over'],
    moneyLineHome: row['money_line_home'],
    moneyLineAway: row['money_line_away'],
  }
