import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { basketball, graphOver, season, startSample, today } from './harness.ts'
import type { Graph, GraphOptions, Sample } from './harness.ts'
import { roundTrips } from './recorder.ts'
import { inRounds } from './rounds.ts'
import { unspecified } from './specified.ts'
import { answerOf, instead } from './spoiled.ts'
import { operations } from '../../src/specification/operations.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let graph: Graph
let games: Json[]
let team: string
beforeAll(async () => {
  sample = await startSample()
  games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  team = String(games[0]?.['home_team_id'])
})
afterAll(() => sample.close())
afterEach(() => expect(unspecified(graph.calls.sent)).toEqual([]))

async function ask<Data>(text: string, options: Parameters<Sample['graph']>[0] & GraphOptions = {}) {
  graph = sample.graph(options)
  return again<Data>(text)
}

/** The answer of a query, and its calls beyond those that find the current season. */
async function again<Data>(text: string) {
  const { data, errors } = await graph.query<Data>(text)
  const calls = graph.calls.take().filter((call) => call !== 'elo/get 1')
  return { data, errors, calls, trips: roundTrips(graph.calls.sent) }
}

describe('lists of a league', () => {
  test('all teams cost one elo/read, and one team/read for their names; their ratings are free', async () => {
    type Teams = { league: { teams: { teamId: string; name: string; elo: { elo: number } }[] } }
    const { data, errors, calls } = await ask<Teams>('{ league { teams { teamId name elo { elo } } } }')
    expect(errors).toBeUndefined()
    const rated = await sample.rows('elo/read', { ...basketball, season, current: 1 })
    expect(new Set(data.league.teams.map(({ teamId }) => teamId))).toEqual(
      new Set(rated.map((row) => row['team_id'])),
    )
    expect(data.league.teams).toHaveLength(rated.length)
    expect(data.league.teams.every(({ name, elo }) => name !== null && elo !== null)).toBe(true)
    expect(calls).toEqual(['elo/read 1', `team/read ${rated.length}`])
  })

  test('conferences with their names cost one conference/read a day', async () => {
    const text = '{ league { conferences { conferenceId name } } }'
    const { data, errors, calls } = await ask<{ league: { conferences: Json[] } }>(text)
    expect(errors).toBeUndefined()
    const rows = await sample.rows('conference/read', basketball)
    expect(data.league.conferences).toEqual(
      rows.map((row) => ({ conferenceId: row['conference_id'], name: row['name'] })),
    )
    expect(calls).toEqual(['conference/read 1'])
    expect((await again(text)).calls).toEqual([])
  })

  test('a service that ignores the filter adds no conference of another league', async () => {
    const others = await sample.rows('conference/read')
    const { data } = await ask<{ league: { conferences: Json[] } }>(
      '{ league { conferences { organizationId } } }',
      {
        between: instead('conference/read', () =>
          answerOf(Object.fromEntries(others.map((row) => [String(row['conference_id']), row]))),
        ),
      },
    )
    expect(others.length).toBeGreaterThan(data.league.conferences.length)
    expect(new Set(data.league.conferences.map((row) => row['organizationId']))).toEqual(
      new Set([basketball.organization_id]),
    )
  })

  test('game days cost the scores of each day side by side, and their games are known then', async () => {
    const { data, errors, calls, trips } = await ask<{ league: { gameDays: string[] } }>(
      `{ league { gameDays(around: "${today}", days: 2) } }`,
    )
    expect(errors).toBeUndefined()
    const days = ['2026-02-12', '2026-02-13', today, '2026-02-15', '2026-02-16']
    const counts = await Promise.all(
      days.map(
        async (start_date) => (await sample.rows('game/getScores', { ...basketball, start_date })).length,
      ),
    )
    expect(data.league.gameDays).toEqual(days.filter((_, index) => counts[index]))
    expect(calls).toEqual(days.map(() => 'game/getScores 1'))
    expect(trips).toBe(1)
    expect((await again(`{ league { games(date: "2026-02-12") { homeScore status } } }`)).calls).toEqual([])
  })

  test('more days than a fortnight are refused at no cost', async () => {
    const { errors, calls } = await ask(`{ league { gameDays(around: "${today}", days: 15) } }`)
    expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT')
    expect(calls).toEqual([])
  })
})

describe('games of a team', () => {
  type Games = { team: Record<string, { gameId: string; status: string; startDate: string }[]> }
  const twoReads = ['game/read 1', 'game/read 1']
  let all: Json[]
  beforeAll(async () => {
    const sides = ['home_team_id', 'away_team_id'].map((side) =>
      sample.rows('game/read', { season, [side]: team }),
    )
    all = (await Promise.all(sides))
      .flat()
      .toSorted((a, b) => (String(a['start_datetime']) < String(b['start_datetime']) ? -1 : 1))
  })
  const ids = (rows: readonly Json[]) => rows.map((row) => row['game_id'])
  const over = () => all.filter((row) => row['status'] === 'final')
  const open = () => all.filter((row) => row['status'] !== 'final')

  test.each([
    ['last: 3', () => ids(over().slice(-3))],
    ['next: 2', () => ids(open().slice(0, 2))],
    ['last: 2, next: 1', () => ids([...over().slice(-2), ...open().slice(0, 1)])],
    ['last: 500', () => ids(over())],
    ['last: 0', () => []],
    ['status: [FINAL]', () => ids(over())],
    ['status: [SCHEDULED, LIVE], next: 1', () => ids(open().slice(0, 1))],
    [
      'from: "2026-01-01", to: "2026-01-31"',
      () => ids(all.filter((row) => String(row['start_date']).startsWith('2026-01'))),
    ],
  ])('%s costs the two reads of the season', async (args, expected) => {
    const { data, errors, calls } = await ask<Games>(`{ team(id: "${team}") { games(${args}) { gameId } } }`)
    expect(errors).toBeUndefined()
    expect(data.team['games']?.map(({ gameId }) => gameId)).toEqual(expected())
    expect(calls).toEqual(twoReads)
  })

  test('by status alone, with predictions, costs the scores and no rows', async () => {
    const { data, errors, calls } = await ask<Games>(
      `{ team(id: "${team}") { games(status: [FINAL]) { gameId prediction { homePercentage } } } }`,
    )
    expect(errors).toBeUndefined()
    expect(data.team['games']).toHaveLength(over().length)
    expect(calls).toEqual(['game/getScores 1', 'game/getScores 1'])
  })

  test('a negative number is refused at no cost', async () => {
    const { errors, calls } = await ask(`{ team(id: "${team}") { games(last: -1) { gameId } } }`)
    expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT')
    expect(calls).toEqual([])
  })

  test('a game’s stage comes with its score, beside the service’s own word', async () => {
    const { data, errors, calls } = await ask<{ league: { games: Json[] } }>(
      `{ league { games(date: "${today}") { gameId status stage } } }`,
    )
    const stages: Json = { final: 'FINAL', scheduled: 'SCHEDULED' }
    expect(errors).toBeUndefined()
    expect(new Set(data.league.games.map(({ stage }) => stage))).toEqual(new Set(['FINAL', 'SCHEDULED']))
    for (const { status, stage } of data.league.games) expect(stage).toBe(stages[String(status)])
    expect(calls).toEqual(['game/getScores 1'])
  })

  test('the last games of all teams of a day cost one elo/read and one game/read', async () => {
    type Day = {
      league: { games: { homeTeam: { teamId: string; lastGame: { gameId: string; status: string } } }[] }
    }
    const { data, errors, calls } = await ask<Day>(
      `{ league { games(date: "${today}") { homeTeam { teamId lastGame { gameId status } } } } }`,
    )
    expect(errors).toBeUndefined()
    const homes = data.league.games.map(({ homeTeam }) => homeTeam)
    expect(homes.find(({ teamId }) => teamId === team)?.lastGame.gameId).toBe(over().at(-1)?.['game_id'])
    expect(new Set(homes.map(({ lastGame }) => lastGame.status))).toEqual(new Set(['final']))
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['elo/read', 'game/getGames', 'game/read'])
  })

  test.each([['eloHistory { elo } lastGame { gameId }'], ['lastGame { gameId } eloHistory { elo }']])(
    '%s costs the ratings alone',
    async (fields) => {
      const { data, errors, calls } = await ask<{ team: { lastGame: Json } }>(
        `{ team(id: "${team}") { ${fields} } }`,
      )
      expect(errors).toBeUndefined()
      expect(data.team.lastGame).toEqual({ gameId: over().at(-1)?.['game_id'] })
      expect(calls).toEqual(['elo/read 1'])
    },
  )

  test('the last game costs a rating where only the scores of the season are known', async () => {
    const before = await ask(`{ team(id: "${team}") { games { odds { pre { over } } } } }`)
    expect(before.calls).toEqual(['game/getScores 1', 'game/getScores 1'])
    const { data, calls } = await again<{ team: { lastGame: Json } }>(
      `{ team(id: "${team}") { lastGame { gameId } } }`,
    )
    expect(data.team.lastGame['gameId']).toBe(over().at(-1)?.['game_id'])
    expect(calls).toEqual(['elo/read 1'])
  })

  test('the last game is free where the season is known', async () => {
    await ask(`{ team(id: "${team}") { games { gameId } } }`)
    const { data, calls } = await again<{ team: { lastGame: Json } }>(
      `{ team(id: "${team}") { lastGame { gameId } } }`,
    )
    expect(data.team.lastGame['gameId']).toBe(over().at(-1)?.['game_id'])
    expect(calls).toEqual([])
  })

  test.each([
    ['lastGame { gameId homeScore } nextGame { gameId }'],
    ['nextGame { gameId } lastGame { gameId homeScore }'],
    ['lastGame { gameId homeScore } form { wins }'],
    ['lastGame { gameId homeScore } again: games(next: 2) { gameId }'],
  ])('%s costs the season alone', async (fields) => {
    const { data, errors, calls, trips } = await ask<{ team: { lastGame: Json } }>(
      `{ team(id: "${team}") { ${fields} } }`,
    )
    expect(errors).toBeUndefined()
    const last = over().at(-1)
    expect(data.team.lastGame).toEqual({ gameId: last?.['game_id'], homeScore: last?.['home_score'] })
    expect(calls).toEqual(twoReads)
    expect(trips).toBe((await ask(`{ team(id: "${team}") { nextGame { gameId } } }`)).trips)
  })

  test('the last game does not wait for games that are read as scores', async () => {
    const rounds = async (fields: string) => {
      const counted = inRounds(sample.transport)
      const { errors } = await graphOver(counted.transport).query(`{ team(id: "${team}") { ${fields} } }`)
      expect(errors).toBeUndefined()
      return counted.bill().rounds
    }
    const last = 'lastGame { rest { away } }'
    expect(await rounds(`${last} lineRecord { all { losses } } games { gameId }`)).toBe(await rounds(last))
  })

  test('the last game waits for a season that is being read, also if later fields need its scores', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    graph = sample.graph({
      between: async (request, service) => {
        const answer = await service(request)
        if (request.operation === operations.readGames) await released
        return answer
      },
    })
    const season = graph.query(`{ team(id: "${team}") { games { gameId } } }`)
    const called = (name: string) => graph.calls.sent.filter(({ operation }) => operation === name).length
    await expect.poll(() => called('game/read')).toBe(2)
    const last = again<{ team: { lastGame: Json } }>(
      `{ team(id: "${team}") { lastGame { gameId homeScore } lineRecord { all { losses } } } }`,
    )
    await expect.poll(() => called('game/getScores')).toBe(2)
    release()
    const { data, errors, calls } = await last
    expect(errors).toBeUndefined()
    expect(data.team.lastGame.gameId).toBe(over().at(-1)?.['game_id'])
    expect(calls).toEqual([...twoReads.map(() => 'game/getScores 1'), ...twoReads])
    expect((await season).errors).toBeUndefined()
  })

  test.each([
    ['nextGame { gameId odds { pre { over } } }'],
    ['games(next: 1) { gameId odds { pre { over } } }'],
  ])('%s costs the season and the odds of the picked game', async (fields) => {
    type Next = { gameId: string; odds: { pre: { over: number } | null } }
    const { data, errors, calls } = await ask<{ team: Record<string, Next | Next[]> }>(
      `{ team(id: "${team}") { ${fields} } }`,
    )
    expect(errors).toBeUndefined()
    const games = Object.values(data.team).flat()
    expect(games.map(({ gameId }) => gameId)).toEqual(ids(open().slice(0, 1)))
    const lines = await sample.rows('odds/read', { game_id: String(ids(open())[0]) })
    for (const { gameId, odds } of games) {
      const current = lines.find((line) => line['game_id'] === gameId && line['current'] === 1)
      expect(odds.pre?.over).toBe(current?.['over'])
    }
    expect(calls).toEqual([...twoReads, 'odds/read 1'])
  })

  test('the odds of many games to come cost the scores of the season', async () => {
    const { calls } = await ask(`{ team(id: "${team}") { games(next: 30) { odds { pre { over } } } } }`)
    expect(calls).toEqual(['game/getScores 1', 'game/getScores 1', ...twoReads])
  })

  test('the prediction of the next game costs the season and the scores of its day', async () => {
    const { calls } = await ask(`{ team(id: "${team}") { nextGame { prediction { homePercentage } } } }`)
    expect(calls).toEqual(['game/getScores 1', ...twoReads])
  })

  test('the predictions of two games cost the scores of the season, without one more round trip', async () => {
    const { calls } = await ask(
      `{ team(id: "${team}") { games(next: 2) { prediction { awayPercentage } } } }`,
    )
    expect(calls).toEqual(['game/getScores 1', 'game/getScores 1', ...twoReads])
  })

  test('and that of its day alone if the season is known', async () => {
    await ask(`{ team(id: "${team}") { games { gameId startDatetime } } }`)
    const { calls } = await again(`{ team(id: "${team}") { nextGame { prediction { homePercentage } } } }`)
    expect(calls).toEqual(['game/getScores 1'])
  })

  test('the next game costs the season, and so do both with the list', async () => {
    const { data, calls } = await ask<{ team: { nextGame: Json } }>(
      `{ team(id: "${team}") { nextGame { gameId homeTeamId } games(last: 5) { gameId } } }`,
    )
    expect(data.team.nextGame['gameId']).toBe(open()[0]?.['game_id'])
    expect(calls).toEqual(twoReads)
  })
})

describe('standings of a conference', () => {
  type Line = {
    place: number
    teamId: string
    wins: number
    losses: number
    conferenceWins: number
    conferenceLosses: number
    conferencePercentage: number
    gamesBehind: number
    streak: number
  }
  const fields =
    'place teamId wins losses percentage conferenceWins conferenceLosses conferencePercentage gamesBehind streak'
  let conference: string
  beforeAll(async () => {
    conference = String(within(games[0] ?? {}, 'teams', team)['conference_id'])
  })
  const text = () => `{ conference(id: "${conference}") { standings { ${fields} } } }`

  test('cost the projection, which names the teams, and each team’s statistics side by side', async () => {
    const { data, errors, calls, trips } = await ask<{ conference: { standings: Line[] } }>(text())
    expect(errors).toBeUndefined()
    const lines = data.conference.standings
    const stats = await Promise.all(
      lines.map(({ teamId }) => sample.row('team/getStats', { ...basketball, season, team_id: teamId })),
    )
    const [first] = lines
    for (const [index, line] of lines.entries()) {
      expect(line).toMatchObject({
        wins: stats[index]?.['wins'],
        losses: stats[index]?.['losses'],
        conferenceWins: stats[index]?.['confwins'],
        conferenceLosses: stats[index]?.['conflosses'],
        streak: stats[index]?.['streak'],
      })
      const behind =
        (first?.conferenceWins ?? 0) -
        line.conferenceWins +
        line.conferenceLosses -
        (first?.conferenceLosses ?? 0)
      expect(line.gamesBehind).toBe(behind / 2)
    }
    const shares = lines.map(({ conferencePercentage }) => conferencePercentage)
    expect(shares).toEqual(shares.toSorted((a, b) => b - a))
    expect(calls).toEqual(['conference/getConferencePrediction 1', ...lines.map(() => 'team/getStats 1')])
    expect(trips).toBe(3) // the season, the projection, the statistics
  })

  test('with a key without an active plan cost the projection alone', async () => {
    const { data, errors, calls } = await ask<{ conference: { standings: Line[] } }>(text(), {
      apiKey: 'sample-trial',
    })
    expect(errors).toBeUndefined()
    expect(data.conference.standings.length).toBeGreaterThan(4)
    expect(calls).toEqual(['conference/getConferencePrediction 1'])
  })
})

describe('a closing line', () => {
  type Day = {
    league: { games: { gameId: string; status: string; odds: { pre: Json; closing: Json | null } }[] }
  }

  test('is the pre-game line from the start on, and null before; in a day’s scores it is free', async () => {
    const { data, errors, calls } = await ask<Day>(
      `{ league { games(date: "${today}") { gameId status odds { pre { oddsId } closing { oddsId } } } } }`,
    )
    expect(errors).toBeUndefined()
    const statuses = new Set(data.league.games.map(({ status }) => status))
    expect(statuses).toContain('final')
    expect(statuses).toContain('scheduled')
    for (const { status, odds } of data.league.games)
      expect(odds.closing).toEqual(status === 'scheduled' ? null : odds.pre)
    expect(calls).toEqual(['game/getScores 1'])
  })
})

describe('the start of a game', () => {
  test('is told in seconds after 2038 too', async () => {
    const [game] = games
    const id = String(game?.['game_id'])
    const start_timestamp = Date.parse('2040-01-01T00:00:00Z') / 1_000
    const { data, errors } = await ask(`{ game(id: "${id}") { startSeconds startTimestamp } }`, {
      between: instead('game/read', () => answerOf({ [id]: { ...game, start_timestamp } })),
    })
    expect(errors).toBeUndefined()
    expect(data).toEqual({ game: { startSeconds: start_timestamp, startTimestamp: null } })
  })
})
