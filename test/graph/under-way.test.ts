import { afterAll, beforeAll, expect, test } from 'vitest'
import { basketball, season, startSample, today } from './harness.ts'
import type { Between, Graph, Sample } from './harness.ts'

let sample: Sample
let games: readonly string[]
let teams: readonly string[]
let players: readonly string[]
let dayGames: readonly string[]
beforeAll(async () => {
  sample = await startSample()
  const rows = await sample.rows('game/read', { ...basketball, season })
  games = rows.flatMap((row) => (row['boxscore'] === 1 ? [String(row['game_id'])] : [])).slice(0, 12)
  const day = await sample.rows('game/getGames', { ...basketball, start_date: today })
  dayGames = day.map((row) => String(row['game_id']))
  teams = day.map((row) => String(row['home_team_id']))
  const transfers = await sample.rows('cbb_transfer_player_season/read', { season })
  players = transfers.map((row) => String(row['player_id'])).slice(0, 8)
})
afterAll(() => sample.close())

const listed = (ids: readonly string[]) => JSON.stringify(ids)

/** What two clients ask for, where the second one needs a part of what the first one's calls bring. */
const pairs: readonly (readonly [what: string, first: () => string, second: () => string])[] = [
  [
    'odds',
    () => `{ games(ids: ${listed(games.slice(0, 6))}) { odds { history { over } } } }`,
    () => `{ games(ids: ${listed(games.slice(3, 9))}) { odds { history { over } } } }`,
  ],
  [
    'current odds of which the history is under way',
    () => `{ games(ids: ${listed(games.slice(0, 6))}) { odds { history { over } } } }`,
    () => `{ games(ids: ${listed(games.slice(0, 6))}) { odds { pre { over } } } }`,
  ],
  [
    'player boxscores of one side',
    () =>
      `{ games(ids: ${listed(games.slice(0, 6))}) { playerBoxscores(side: HOME) { ... on BasketballPlayerBoxscore { points } } } }`,
    () =>
      `{ games(ids: ${listed(games.slice(3, 9))}) { playerBoxscores(side: HOME) { ... on BasketballPlayerBoxscore { points } } } }`,
  ],
  [
    'boxscores of one side',
    () =>
      `{ games(ids: ${listed(games.slice(0, 6))}) { boxscore(side: HOME) { ... on BasketballTeamBoxscore { points } } } }`,
    () =>
      `{ games(ids: ${listed(games.slice(3, 9))}) { boxscore(side: HOME) { ... on BasketballTeamBoxscore { points } } } }`,
  ],
  [
    'both boxscores',
    () =>
      `{ games(ids: ${listed(games.slice(0, 6))}) { boxscores { ... on BasketballTeamBoxscore { points } } } }`,
    () =>
      `{ games(ids: ${listed(games.slice(3, 9))}) { boxscores { ... on BasketballTeamBoxscore { points } } } }`,
  ],
  [
    'ratings',
    () => `{ teams(ids: ${listed(teams.slice(0, 5))}) { eloHistory(season: ${season}) { elo } } }`,
    () => `{ teams(ids: ${listed(teams.slice(2, 7))}) { eloHistory(season: ${season}) { elo } } }`,
  ],
  [
    'current ratings of which the history is under way',
    () => `{ teams(ids: ${listed(teams.slice(0, 5))}) { eloHistory(season: ${season}) { elo } } }`,
    () => `{ teams(ids: ${listed(teams.slice(0, 5))}) { elo(season: ${season}) { elo } } }`,
  ],
  [
    'transfers',
    () => `{ players(ids: ${listed(players.slice(0, 5))}) { transfers(season: ${season}) { committed } } }`,
    () => `{ players(ids: ${listed(players.slice(2, 7))}) { transfers(season: ${season}) { committed } } }`,
  ],
]

/** Calls whose answers wait until `release`. */
function held(isHeld: (operation: string) => boolean) {
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const between: Between = async (request, service) => {
    const answer = await service(request)
    if (isHeld(request.operation.class)) await released
    return answer
  }
  return { between, release: () => release() }
}

const turns = async (count = 30) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

const totalsOf = ({ upstream }: Graph) => upstream.ledgers.totals()

test.each(pairs)('%s under way are not bought again', async (_what, first, second) => {
  const alone = sample.graph()
  const expected = [await alone.query(first()), await alone.query(second())]
  const { tokens } = totalsOf(alone)
  const calls = alone.calls.take()

  const { between, release } = held((one) => one !== 'game' || calls.every((call) => call.startsWith('game')))
  const graph = sample.graph({ between })
  const early = graph.query(first())
  await expect.poll(() => graph.calls.sent.some((call) => !call.operation.startsWith('game/'))).toBe(true)
  const late = graph.query(second())
  await turns()
  release()
  const answers = [await early, await late]
  expect(answers.map(({ data }) => data)).toEqual(expected.map(({ data }) => data))
  expect(graph.calls.take()).toEqual(calls)
  expect(totalsOf(graph).tokens).toBe(tokens)
  const bills = answers.map(({ extensions }) => extensions.usage.tokens)
  expect(bills[0] !== undefined && bills[1] !== undefined && bills[0] + bills[1]).toBe(tokens)
})

const history = (from: number, to: number) =>
  `{ games(ids: ${listed(games.slice(from, to))}) { odds { history { over } } } }`

test('a failure of a call under way is the answer for all that wait for it, and is paid once', async () => {
  const { between, release } = held(() => true)
  const graph = sample.graph({
    retryPauses: [],
    between: async (request, service) => ({
      ...(await between(request, service)),
      body: '{"error":"broken"}',
    }),
  })
  const early = graph.query<{ games: { odds: { history: unknown } }[] }>(history(0, 6))
  await expect.poll(() => graph.calls.sent.length).toBe(1)
  const late = graph.query<{ games: { odds: { history: unknown } }[] }>(history(3, 6))
  await turns()
  release()
  for (const { data, errors } of [await early, await late]) {
    expect(data.games.map(({ odds }) => odds.history)).toEqual(data.games.map(() => null))
    expect(new Set(errors?.map(({ extensions }) => extensions?.code))).toEqual(new Set(['UPSTREAM_ERROR']))
  }
  expect(graph.calls.take()).toEqual(['odds/read 6'])
})

test('what another client could not pay for is bought by those who wait for it', async () => {
  const graph = sample.graph({ concurrency: 1, clientBudgets: new Map([['poor', 0]]) })
  const as = (client: string) => ({ headers: { 'graphql-client-name': client } })
  const [early, late] = await Promise.all([
    graph.query(history(0, 6), as('poor')),
    graph.query(history(3, 6), as('rich')),
  ])
  expect(early?.errors?.length).toBeGreaterThan(0)
  expect(late?.errors).toBeUndefined()
  expect(graph.calls.take()).toEqual(['odds/read 3'])
})

/** Queries whose plan depends on how much of a day or a season is asked for. */
const planned: readonly (readonly [what: string, query: () => string])[] = [
  [
    'line results of games of a day',
    () => `{ games(ids: ${listed(dayGames.slice(0, 8))}) { lineResult { spread } } }`,
  ],
  ['odds of the games of ratings', () => '{ league { elo { game { odds { pre { spreadHome } } } } } }'],
  [
    'player boxscores',
    () =>
      `{ games(ids: ${listed(games.slice(0, 6))}) { playerBoxscores(side: HOME) { ... on BasketballPlayerBoxscore { points } } } }`,
  ],
]

test.each(planned)('%s cost five clients at once what they cost one', async (_what, query) => {
  const alone = sample.graph()
  const { data } = await alone.query(query())
  const graph = sample.graph()
  const answers = await Promise.all(Array.from({ length: 5 }, () => graph.query(query())))
  expect(answers.map((answer) => answer.data)).toEqual(answers.map(() => data))
  expect(graph.calls.take()).toEqual(alone.calls.take())
  expect(totalsOf(graph).tokens).toBe(totalsOf(alone).tokens)
})

test.each(planned)(
  '%s cost a second client nothing while the first one’s calls are under way',
  async (_what, query) => {
    const alone = sample.graph()
    const { data } = await alone.query(query())
    const { between, release } = held((one) => one !== 'game')
    const graph = sample.graph({ between })
    const early = graph.query(query())
    await expect.poll(() => graph.calls.sent.length).toBeGreaterThan(0)
    await turns()
    const late = graph.query(query())
    await turns()
    release()
    expect([(await early).data, (await late).data]).toEqual([data, data])
    expect(graph.calls.take()).toEqual(alone.calls.take())
  },
)
