import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, football, season, startSample, today } from './harness.ts'
import type { Sample } from './harness.ts'
import { roundTrips } from './recorder.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let game: Json
let team: string
/** A team with a player who came from another one. */
let mixed: string

beforeAll(async () => {
  sample = await startSample()
  const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  game = games[0] ?? {}
  team = String(game['home_team_id'])
  const transfers = await sample.rows('cbb_transfer_player_season/read', { season, committed: 1 })
  mixed = String(transfers[0]?.['committed_team_id'])
})
afterAll(() => sample.close())

const scoresAlone = ['game/getScores 1']
const gamesAlone = ['game/getGames 1']
const both = ['game/getGames 1', 'game/getScores 1']

/** What a query costs cold. */
async function bill(text: string, variables: Record<string, unknown> = {}): Promise<string[]> {
  const graph = sample.graph()
  const { errors } = await graph.query(text, { variables })
  expect(errors).toBeUndefined()
  return graph.calls.take()
}

describe('what a query selects decides its calls', () => {
  const day = (fields: string, head = '') => `${head} { league { games(date: "${today}") { ${fields} } } }`

  test.each([
    ['a column of scores', 'homeScore', scoresAlone],
    ['the key alone', 'gameId', scoresAlone],
    ['__typename', '__typename', scoresAlone],
    ['the global id', 'id', scoresAlone],
    ['a column of games', 'startDatetime', gamesAlone],
    ['a team’s column', 'homeTeam { name }', gamesAlone],
    ['a team’s key', 'homeTeam { teamId }', gamesAlone],
    ['a prediction', 'prediction { homePercentage }', scoresAlone],
    ['a prediction’s key', 'prediction { predictionId }', scoresAlone],
    [
      'a column of games and a prediction',
      'network prediction { homePercentage }',
      ['game/getScores 1', 'game/read 14'],
    ],
    ['teams and a prediction', 'homeTeam { name } prediction { homePercentage }', both],
    ['odds of nothing', 'homeScore odds { __typename }', scoresAlone],
    ['current odds', 'odds { live { over } }', scoresAlone],
    [
      'current odds with their history',
      'odds { pre { over } history { over } }',
      ['game/getScores 1', 'odds/read 14'],
    ],
  ])('%s', async (_what, fields, calls) => {
    expect(await bill(day(fields))).toEqual(calls)
  })

  test('through named fragments, nested and used twice', async () => {
    const fragments = `
      fragment Score on Game { homeScore awayScore }
      fragment Line on Game { ...Score odds { ...Current } }
      fragment Current on GameOdds { pre { spreadHome } }`
    expect(await bill(`${day('...Score ...Line')} ${fragments}`)).toEqual(scoresAlone)
    expect(
      await bill(`${day('...Line homeTeam { ...Named }')} ${fragments} fragment Named on Team { name }`),
    ).toEqual(both)
  })

  test('through inline fragments, with and without a type', async () => {
    expect(await bill(day('... on Game { homeScore } ... { clock }'))).toEqual(scoresAlone)
    expect(await bill(day('... on Node { id ... on Game { homeTeam { name } } }'))).toEqual(gamesAlone)
    expect(await bill(day('homeScore ... on Node { ... on Team { name } }'))).toEqual(scoresAlone)
  })

  test('through aliases, which take the place of no other field', async () => {
    expect(await bill(day('name: homeScore network: clock'))).toEqual(scoresAlone)
    expect(await bill(day('homeScore: network'))).toEqual(gamesAlone)
    expect(await bill(day('a: homeTeam { x: teamId } b: homeTeam { x: name }'))).toEqual(gamesAlone)
  })

  test('a field selected twice is one field with both selections', async () => {
    const graph = sample.graph()
    const { data } = await graph.query<Json>(
      `{ league { games(date: "${today}") { homeScore } games(date: "${today}") { homeTeam { name } } } }`,
    )
    expect((within(data, 'league')['games'] as Json[])[0]).toEqual({
      homeScore: game['home_score'],
      homeTeam: { name: within(game, 'teams', team)['name'] },
    })
    expect(graph.calls.take()).toEqual(gamesAlone)
  })

  test('the same day under two aliases is asked for once, with all that either wants', async () => {
    const text = `{ league { a: games(date: "${today}") { homeScore prediction { homePercentage } } b: games(date: "${today}") { homeTeam { name } } } }`
    expect(await bill(text)).toEqual(both)
  })

  describe('@skip and @include', () => {
    test.each([
      ['homeScore homeTeam @include(if: $yes) { name }', both.slice(0, 1)],
      ['homeScore homeTeam @include(if: $no) { name }', scoresAlone],
      ['homeScore homeTeam @skip(if: $yes) { name }', scoresAlone],
      ['homeScore homeTeam @skip(if: $no) { name }', gamesAlone],
      ['homeScore homeTeam @skip(if: $yes) @include(if: $yes) { name }', scoresAlone],
      ['homeScore ... @include(if: $no) { network }', scoresAlone],
      ['homeScore ...Network @skip(if: $yes)', scoresAlone],
      ['homeScore ...Network @skip(if: $no)', gamesAlone],
      ['homeScore homeTeam { teamId name @include(if: $no) }', gamesAlone],
      ['homeScore prediction @include(if: true) { homePercentage } network @skip(if: true)', scoresAlone],
    ])('%s', async (fields, calls) => {
      const used = ['$yes', '$no'].filter((name) => fields.includes(name)).map((name) => `${name}: Boolean!`)
      const head = used.length > 0 ? `query (${used.join(', ')})` : ''
      const fragment = fields.includes('...Network') ? 'fragment Network on Game { network }' : ''
      expect(await bill(`${day(fields, head)} ${fragment}`, { yes: true, no: false })).toEqual(calls)
    })

    test('with the default of a variable, and one document asked with different values', async () => {
      const graph = sample.graph()
      const text = day('homeScore homeTeam @include(if: $teams) { name }', 'query ($teams: Boolean = false)')
      await graph.query(text)
      expect(graph.calls.take()).toEqual(scoresAlone)
      const { data } = await graph.query<Json>(text, { variables: { teams: true } })
      expect((within(data, 'league')['games'] as Json[])[0]).toHaveProperty('homeTeam')
      expect(graph.calls.take()).toEqual(gamesAlone)
    })
  })

  test('variables are arguments like any other', async () => {
    const graph = sample.graph()
    await graph.query(
      'query ($day: Date!, $org: ID!, $div: ID) { league(organizationId: $org, divisionId: $div) { games(date: $day) { homeScore } } }',
      { variables: { day: today, org: football.organization_id, div: football.division_id } },
    )
    expect(graph.calls.sent.map(({ arguments: values }) => values)).toEqual([
      { ...football, start_date: today },
    ])
  })

  test('of two operations in a document only the one that is named', async () => {
    const graph = sample.graph()
    await graph.query(`query A { team(id: "${team}") { name } } query B { organizations { name } }`, {
      operationName: 'B',
    })
    expect(graph.calls.take()).toEqual(['organization/read 1'])
  })
})

describe('what a lookup selects', () => {
  const one = (fields: string, head = '') => `${head} { team(id: "${team}") { ${fields} } }`

  test.each([
    [`... on Node { id } elo(season: ${season}) { elo }`, ['elo/read 1']],
    [`...Links`, ['elo/read 1', 'team/getPlayers 1']],
    [`name @skip(if: true) elo(season: ${season}) { elo }`, ['elo/read 1']],
    [`name elo(season: ${season}) @include(if: false) { elo }`, ['team/read 1']],
    [`elo: name`, ['team/read 1']],
  ])('%s', async (fields, calls) => {
    const fragment = fields.includes('...Links')
      ? `fragment Links on Team { teamId elo(season: ${season}) { elo } roster(season: ${season}) { lastName } }`
      : ''
    expect(await bill(`${one(fields)} ${fragment}`)).toEqual(calls)
  })

  test('through an interface is read for the type that it turns out to be', async () => {
    const id = Buffer.from(`Team:${team}`).toString('base64')
    const links = `roster(season: ${season}) { lastName }`
    expect(
      await bill(`{ league { team(id: "${team}") { ... on Node { ... on Team { ${links} } } } } }`),
    ).toEqual(['team/getPlayers 1'])
    expect(await bill(`{ node(id: "${id}") { ... on Player { lastName } ... on Team { name } } }`)).toEqual([
      'team/read 1',
    ])
    expect(
      await bill(`{ node(id: "${id}") { id ... on Player { seasons { season } } ... on Team { name } } }`),
    ).toEqual(['team/read 1'])
  })

  test('a boxscore’s columns through its interface and its types come with one call', async () => {
    const graph = sample.graph()
    const { data, errors } = await graph.query<Json>(`{
      game(id: "${String(game['game_id'])}") { boxscores {
        __typename points ... on FootballTeamBoxscore { firstDowns } ... on BasketballTeamBoxscore { rebounds: totalRebounds }
        ... on TeamBoxscore { minutesPlayed } team { name }
      } }
    }`)
    expect(errors).toBeUndefined()
    for (const row of within(data, 'game')['boxscores'] as Json[]) {
      expect(row['__typename']).toBe('BasketballTeamBoxscore')
      expect(Object.keys(row)).toEqual(['__typename', 'points', 'rebounds', 'minutesPlayed', 'team'])
    }
    expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'team/read 2'])
  })
})

describe('round trips', () => {
  test.each([
    [
      'a day’s games with both teams’ statistics, rosters and ratings',
      2,
      () => `{ league { games(date: "${today}") {
      homeScore prediction { homePercentage }
      homeTeam { name stats { points { rank } } roster { lastName } elo { elo } } awayTeam { name stats { wins { value } } eloHistory { elo } }
      odds { history { over } } boxscores { points }
    } } }`,
    ],
    [
      'a roster with colleges',
      2,
      () =>
        `{ league { team(id: "${mixed}") { name roster(season: ${season}) { lastName college stats { games } seasons { season team { name } } } } } }`,
    ],
    [
      'two teams and a league side by side',
      1,
      () =>
        `{ team(id: "${team}") { name } league { averages(season: ${season}) { season } elo(season: ${season}) { elo } transfers(season: ${season}) { season } search(name: "an") { players { begin } } } organizations { name } divisions { name } }`,
    ],
  ])('%s takes as many as its data depend on one another', async (_what, trips, text) => {
    const graph = sample.graph({ concurrency: 200 })
    const { errors } = await graph.query(text())
    expect(errors).toBeUndefined()
    // Teams of seasons in a roster are known only with the seasons, which are known only with the roster.
    const deepest = text().includes('seasons {') ? trips + 1 : trips
    expect(roundTrips(graph.calls.sent)).toBe(deepest)
  })
})

test('a row’s global id is had through its interface as through its type, at no further call', async () => {
  const graph = sample.graph()
  const { data, errors } = await graph.query<Json>(
    `{ league { games(date: "${today}") { boxscores { __typename id own: boxscoreId ... on Node { node: id } } playerBoxscores { id ... on Node { node: id } } homeTeam { stats { id ... on StatRanking { through: id } } } } } }`,
  )
  expect(errors).toBeUndefined()
  const games = within(data, 'league')['games'] as Json[]
  const boxscores = games.flatMap((game) => game['boxscores'] as Json[])
  expect(boxscores.length).toBeGreaterThan(0)
  for (const { __typename, id, own, node } of boxscores) {
    expect(Buffer.from(String(id), 'base64').toString()).toBe(`${String(__typename)}:${String(own)}`)
    expect(node).toBe(id)
  }
  const players = games.flatMap((game) => game['playerBoxscores'] as Json[])
  expect(players.length).toBeGreaterThan(0)
  for (const { id, node } of players) expect(node).toBe(id)
  for (const game of games) {
    const { id, through } = within(game, 'homeTeam', 'stats')
    expect(through).toBe(id)
  }
  const calls = graph.calls.take().filter((call) => !call.startsWith('team/getStats'))
  expect(calls.map((call) => call.split(' ')[0])).toEqual([
    'boxscore/readBoxscore',
    'game/getGames',
    'player_boxscore/read',
  ])
})
