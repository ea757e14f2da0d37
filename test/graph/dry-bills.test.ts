import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, season, startSample, teamsOfToday } from './harness.ts'
import type { Sample } from './harness.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

interface Span {
  readonly from: number
  readonly to: number
}

interface Estimated {
  readonly estimate: { readonly tokens: Span; readonly calls: Span }
}

/** A query's dry run, and its bill with nothing kept. */
async function both(text: string, variables: Record<string, unknown> = {}) {
  const graph = sample.graph()
  const dry = await graph.query(text, { variables, extensions: { explain: 'dry' } })
  expect(graph.calls.take()).toEqual([])
  const real = await graph.query(text, { variables, extensions: { explain: true } })
  expect([dry.errors, real.errors]).toEqual([undefined, undefined])
  const { estimate } = dry.extensions as unknown as Estimated
  const operations = ({ extensions: { plan = [] } }: typeof dry) =>
    [...new Set(plan.map(({ operation }) => operation))].toSorted()
  return { estimate, bill: real.extensions.usage, planned: operations(dry), sent: operations(real) }
}

function expectWithin({ from, to }: Span, figure: number) {
  expect(figure).toBeGreaterThanOrEqual(from)
  expect(figure).toBeLessThanOrEqual(to)
}

describe('a dry run has a price for what is below a leaderboard', () => {
  const below = {
    CONFERENCE: '...on ConferenceStatRanking { conference { name playerAverages { season } } }',
    TEAM: '...on TeamStatRanking { team { name games { homeScore odds { pre { spreadHome } } } } }',
    PLAYER: '...on PlayerStatRanking { player { lastName college } }',
  }
  test.each([
    ['CONFERENCE', 'points'],
    ['TEAM', 'points'],
    ['TEAM', 'opponentPoints'],
    ['TEAM', 'passing_yards'],
    ['PLAYER', 'points_per_game'],
  ] as const)('of %ss by %s', async (subject, orderBy) => {
    const ranking = `ranking(subject: ${subject}, season: 2026, orderBy: $by, first: 3)`
    const text = `query Top($by: String!) { league { ${ranking} { edges { node { season ${below[subject]} } } } } }`
    const graph = sample.graph()
    const { extensions: dry } = await graph.query(text, {
      variables: { by: orderBy },
      extensions: { explain: 'dry' },
    })
    expect(dry.plan?.map(({ operation }) => operation)).toContain(
      { CONFERENCE: 'conference/read', TEAM: 'team/read', PLAYER: 'player/read' }[subject],
    )
    if (orderBy === 'passing_yards') return // of football: the sample league has none
    const { estimate, bill, planned, sent } = await both(text, { by: orderBy })
    expect(planned).toEqual(sent)
    expectWithin(estimate.tokens, bill.tokens)
    expectWithin(estimate.calls, bill.calls)
  })
})

describe('a dry run reads the conferences that a query leads to', () => {
  const conference = 'conference { name }'
  const byId = (kind: string, fields: string) => `query Link($id: ID!) { ${kind}(id: $id) { ${fields} } }`
  const inLeague = (kind: string, fields: string) =>
    `query Link($id: ID!) { league { ${kind}(id: $id) { ${fields} } } }`
  const date = '2026-02-13'
  let ids: Readonly<Record<string, string>>

  beforeAll(async () => {
    const [game] = await sample.rows('game/getGames', { ...basketball, start_date: date })
    const team = String(game?.['home_team_id'])
    const { organization_id } = basketball
    const [player] = await sample.rows('team/getPlayers', { organization_id, team_id: team, season })
    ids = { game: String(game?.['game_id']), team, player: String(player?.['player_id']) }
  })

  test.each([
    ['team', byId('team', conference)],
    ['team', byId('team', `name roster { lastName } ${conference}`)],
    ['team', inLeague('team', `name ${conference}`)],
    ['team', byId('team', `games(season: 2026) { homeTeam { ${conference} } }`)],
    ['game', byId('game', `homeTeam { ${conference} }`)],
    ['game', inLeague('game', `homeTeam { name ${conference} } awayTeam { ${conference} }`)],
    ['player', byId('player', `seasons { team { ${conference} } }`)],
    ['player', inLeague('player', `seasons { team { ${conference} } }`)],
    ['league', `query Link { league { games(date: "${date}") { awayTeam { ${conference} } } } }`],
    ['league', `query Link { league { search(name: "a") { teams { ${conference} } } } }`],
  ])('of a %s: %s', async (kind, text) => {
    const { estimate, bill, planned, sent } = await both(text, { id: ids[kind] })
    expect(sent).toContain('conference/read')
    expect(planned).toEqual(sent)
    expectWithin(estimate.tokens, bill.tokens)
    expectWithin(estimate.calls, bill.calls)
  })

  test('of a game whose row is known', async () => {
    const graph = sample.graph()
    const text = byId('game', `homeTeam { ${conference} }`)
    const variables = { id: ids['game'] }
    const dry = async () => {
      const { extensions } = await graph.query(text, { variables, extensions: { explain: 'dry' } })
      return (extensions as unknown as Estimated).estimate.calls
    }
    expect(await dry()).toEqual({ from: 3, to: 3 })
    await graph.query(byId('game', 'status'), { variables })
    expect(await dry()).toEqual({ from: 2, to: 2 })
    graph.calls.take()
    const { data, errors } = await graph.query<{ game: Record<string, object> }>(text, { variables })
    expect(errors).toBeUndefined()
    expect(data.game['homeTeam']).toEqual({ conference: { name: expect.any(String) } })
    expect(graph.calls.take()).toEqual(['conference/read 1', 'game/getGames 1'])
  })
})

describe('a dry run of a projected table', () => {
  const standings = 'query Table($id: ID!) { conference(id: $id) { standings(season: 2026) { wins } } }'
  const chances =
    'query Chances($id: ID!) { conference(id: $id) { projection(season: 2026) { titleChances { probability } } } }'
  let conferences: readonly string[]

  beforeAll(async () => {
    const rows = await sample.rows('conference/read', basketball)
    conferences = rows.map(({ conference_id }) => String(conference_id))
  })

  test.each([
    ['standings', standings],
    ['titleChances', chances],
  ])('counts the calls for each team that a plan with simulations leads to: %s', async (_, text) => {
    const { estimate, bill, planned, sent } = await both(text, { id: conferences[0] })
    expect(bill.calls).toBeGreaterThan(10)
    expect(planned).toEqual(sent)
    expectWithin(estimate.tokens, bill.tokens)
    expectWithin(estimate.calls, bill.calls)
    // A plan without simulations pays for the projection alone.
    expect(estimate.calls.from).toBe(1)
  })

  test.each([
    ['sample-paid', true],
    ['sample-trial', false],
  ])('goes by what the last projection has told of the plan: %s', async (apiKey, hasSimulations) => {
    const graph = sample.graph({ apiKey })
    const [first, second] = conferences.map((id) => ({ id }))
    await graph.query(standings, { variables: { ...first } })
    const dry = await graph.query(standings, { variables: { ...second }, extensions: { explain: 'dry' } })
    const { estimate } = dry.extensions as unknown as Estimated
    const real = await graph.query(standings, { variables: { ...second } })
    expect(real.errors).toBeUndefined()
    expectWithin(estimate.calls, real.extensions.usage.calls)
    expect([estimate.calls.from > 1, estimate.calls.to > 1]).toEqual([hasSimulations, hasSimulations])
  })
})

describe('a dry run of a search', () => {
  const search = (fields: string, groups = '') =>
    `query Search($n: String!) { league { search(name: $n${groups}) { ${fields} } } }`
  const deep =
    'players { player { gameLog(season: 2026) { points } } } teams { stats(season: 2026) { wins { value } } }'
  test.each([
    ['a', search(deep)],
    ['a', search('players { player { college } } teams { name } coaches { coach { lastName } }')],
    ['e', search('players { player { lastName position } }', ', groups: [PLAYERS]')],
    ['an', search(deep)],
  ])('is within the most that a search finds: %j %s', async (n, text) => {
    const { estimate, bill } = await both(text, { n })
    expectWithin(estimate.tokens, bill.tokens)
    expectWithin(estimate.calls, bill.calls)
  })
})

describe('the least of an estimate is not more than the bill, so that a limit of as much lets the query pass', () => {
  const teams = 'query PlayersTeams($ids: [ID!]!) { players(ids: $ids) { seasons { season team { name } } } }'
  const day = (fields: string) => `query Day { league { games(date: "2026-02-13") { ${fields} } } }`
  const team = (fields: string) => `query Team($id: ID!) { team(id: $id) { ${fields} } }`
  const seasons = 'query Seasons { league { currentSeason seasons } }'
  const transfers =
    'query Transfers { league { transfers(season: 2026) { player { lastName } committedTeam { name } } } }'
  const conferences = 'query Conferences { league { conferences { name } } }'
  const ranked = `query Ranked { league { ranking(subject: TEAM, season: 2026, orderBy: "points") {
    edges { node { ... on TeamStatRanking { team { name } } } } } } }`
  const boxscores = 'playerBoxscores { points player { lastName college } }'
  const opponents = 'name games(season: 2026) { homeTeam { name roster { lastName } } awayTeam { name } }'

  /** A team, and its players. */
  async function ids() {
    const [id = ''] = await teamsOfToday(sample)
    const { organization_id } = basketball
    const roster = await sample.rows('team/getPlayers', { organization_id, team_id: id, season })
    return { id, ids: roster.slice(0, 11).map(({ player_id }) => String(player_id)) }
  }

  test.each([
    teams,
    seasons,
    transfers,
    conferences,
    ranked,
    day('homeTeam { name conference { name } } awayTeam { roster { college } }'),
    day(boxscores),
    day('odds { history { live } }'),
    team(opponents),
    team('eloHistory(season: 2026) { elo } roster { lastName seasons { team { name } } }'),
  ])('%s', async (text) => {
    const variables = await ids()
    const { estimate, bill } = await both(text, variables)
    expectWithin(estimate.tokens, bill.tokens)
    expectWithin(estimate.calls, bill.calls)
    const limited = sample.graph({ queryLimits: { maxTokens: bill.tokens, maxCalls: bill.calls } })
    const { data } = await limited.query(text, { variables })
    expect(data).not.toBeNull()
  })

  test('the shipped query for players’ teams spends all of its limit', async () => {
    const variables = await ids()
    const { bill } = await both(teams, variables)
    const { errors } = await sample
      .graph()
      .query(teams, { variables, extensions: { maxTokens: bill.tokens } })
    expect(errors).toBeUndefined()
  })

  test.each([day('homeTeam { stats { games } }'), day(`homeTeam { roster { college } } ${boxscores}`)])(
    'but what is far above a limit is refused before it spends: %s',
    async (text) => {
      const { bill } = await both(text)
      const maxTokens = 3
      expect(bill.tokens).toBeGreaterThan(5 * maxTokens)
      const graph = sample.graph()
      const { data, errors } = await graph.query(text, { extensions: { maxTokens } })
      expect([data, errors?.[0]?.extensions?.code]).toEqual([null, 'QUERY_TOO_EXPENSIVE'])
      expect(graph.calls.take()).toEqual([])
    },
  )
})
