import { parse, validate } from 'graphql'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { schema } from '../../../src/schema.ts'
import { AnswerRedis } from '../../../src/store/answers/answer-redis.ts'
import { RedisConnection } from '../../../src/store/redis/connection.ts'
import { DocumentGenerator } from '../../graph/execution/documents.ts'
import { basketball, graphOver, season, startSample, today } from '../../graph/harness.ts'
import type { Answer, Sample } from '../../graph/harness.ts'
import { sampleNow } from '../../sample.setup.ts'
import type { Json } from '../../service/client.ts'
import { nameOf } from '../../../src/specification/operation.ts'
import type { Outgoing, Transport } from '../../../src/wire/transport.ts'
import { hasRedis, startRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'
import { patience } from '../../patience.ts'

interface Ids {
  readonly team: string
  readonly other: string
  readonly game: string
  readonly player: string
  readonly conference: string
  /** No team of the league. */
  readonly none: string
}

const stats = 'points { value }'
const ofTeam = (fields: string) => (ids: Ids) => `{ team(id: "${ids.team}") { ${fields} } }`
const ofGame = (fields: string) => (ids: Ids) => `{ game(id: "${ids.game}") { ${fields} } }`
const ofPlayer = (fields: string) => (ids: Ids) => `{ player(id: "${ids.player}") { ${fields} } }`
const ofConference = (fields: string) => (ids: Ids) => `{ conference(id: "${ids.conference}") { ${fields} } }`
const ofLeague = (fields: string) => () => `{ league { ${fields} } }`

/** A query of each kind. */
const kinds = {
  'a team': ofTeam('name primaryColor'),
  'a team’s games of a season': ofTeam(`games(season: ${season}) { homeScore network }`),
  'a team’s games of the current season': ofTeam('games { homeScore }'),
  'a team’s scores of a season': ofTeam('games { prediction { homeScore } }'),
  'a team’s odds of a season': ofTeam('games { odds { pre { spreadHome } } }'),
  'a team’s games with their teams': ofTeam('games { homeScore homeTeam { name } awayTeam { name } }'),
  'a team’s games and their predictions': ofTeam('games { network prediction { awayScore } }'),
  'a team’s finished games': ofTeam('games(status: FINAL) { homeScore }'),
  'a team’s last and next games': ofTeam('games(last: 2, next: 2) { startDate }'),
  'a team’s last game': ofTeam('lastGame { homeScore }'),
  'a team’s next game': ofTeam('nextGame { gameId }'),
  'a team’s last game beside its games': ofTeam('games { homeScore } lastGame { homeScore }'),
  'a team’s form': ofTeam('form { wins } first: form(games: 10) { losses }'),
  'a team’s record against the lines': ofTeam('lineRecord { all { wins } }'),
  'a team’s record at home': ofTeam('lineRecord { home { wins } away { losses } }'),
  'a team’s strength of schedule': ofTeam('scheduleStrength { played remaining }'),
  'a team’s statistics': ofTeam(`stats { ${stats} }`),
  'a team’s roster': ofTeam('roster { firstName college }'),
  'a team’s rating': ofTeam('elo { elo }'),
  'a team’s ratings': ofTeam('eloHistory { elo } elo { elo }'),
  'a team’s boxscores': ofTeam('boxscores { points }'),
  'a team’s conference': ofTeam('conference { name }'),
  'a team’s conference beside its games': ofTeam('conferenceId games { homeScore }'),
  'a team’s conference beside its name': ofTeam('name conferenceId'),
  'a team’s last game beside its next one': ofTeam('lastGame { homeScore } nextGame { gameId }'),
  'two teams': ({ team, other }) =>
    `{ teams(ids: ["${team}", "${other}"]) { name form { wins } elo { elo } } }`,
  'a game': ofGame('homeScore status homeTeam { name }'),
  'a game’s boxscores': ofGame('boxscores { points } playerBoxscores { points }'),
  'a game’s boxscores by side': ofGame(
    'boxscore(side: HOME) { points } playerBoxscores(side: AWAY) { points }',
  ),
  'a game by its sides': ofGame(
    'side: boxscore(side: HOME) { points } other: boxscore(side: AWAY) { points }',
  ),
  'a game’s boxscores of both sides': ofGame(
    'home: boxscore(side: HOME) { points } away: boxscore(side: AWAY) { points } boxscores { points }',
  ),
  'a game’s odds': ofGame('odds { pre { over } live { over } }'),
  'a game’s history of odds': ofGame('odds { history { over } }'),
  'a game’s prediction': ofGame('prediction { homeScore } predictionEdge { spread }'),
  'a game’s result against the line': ofGame('lineResult { spread total }'),
  'a game’s rest days': ofGame('rest { home away }'),
  'rest days of a day': ofLeague(`games(date: "${today}") { rest { home away } }`),
  'a day’s scores': ofLeague(`games(date: "${today}") { homeScore clock prediction { homeScore } }`),
  'a day’s games': ofLeague(
    `games(date: "${today}") { network homeTeam { name stats { ${stats} } } prediction { homeScore } odds { pre { over } } }`,
  ),
  'a day’s form': ofLeague(`games(date: "${today}") { homeTeam { form { wins } } }`),
  'days of play': ofLeague(`gameDays(around: "${today}", days: 2)`),
  'a league’s seasons': ofLeague('seasons'),
  'a league’s current season': ofLeague('currentSeason'),
  'a league’s teams': ofLeague('teams { teamId name elo { elo } }'),
  'a league’s ratings': ofLeague('elo { elo }'),
  'a league’s conferences': ofLeague('conferences { name }'),
  'a league’s averages': ofLeague(`averages { columns } playerAverages { columns }`),
  'a league’s names': ofLeague('organization { name } division { name }'),
  'a league’s transfers': ofLeague('transfers { committed }'),
  'a ranking of teams': ofLeague('ranking(subject: TEAM, orderBy: "points", first: 3) { edges { cursor } }'),
  'a ranking of players': ofLeague('ranking(subject: PLAYER, orderBy: "points", first: 3) { totalCount }'),
  'a search': ofLeague('search(name: "ba") { teams { name } players { player { firstName } } }'),
  'a conference’s statistics': ofConference(`name stats { columns } playerAverages { columns }`),
  'a conference’s projection': ofConference('projection { standings { columns } }'),
  'a conference’s table': ofConference('standings { team { name } }'),
  'a player': ofPlayer('firstName college hometown'),
  'a player’s seasons': ofPlayer('seasons { season team { name } }'),
  'a player’s games': ofPlayer('gameLog { points }'),
  'a player’s statistics': ofPlayer('stats { games } careerStats { games }'),
  'a player’s transfers': ofPlayer('transfers { committed }'),
} satisfies Readonly<Record<string, (ids: Ids) => string>>

/** What the rows of a query tell without a call, on the same instance as on another. */
const told: readonly (readonly [bought: keyof typeof kinds, asked: string, textOf: (ids: Ids) => string])[] =
  [
    ['a team’s games of a season', 'the current season', kinds['a league’s current season']],
    ['a team’s games of a season', 'its form', kinds['a team’s form']],
    ['a team’s games of a season', 'its next game', kinds['a team’s next game']],
    [
      'a team’s games of a season',
      'its last game of that season',
      ofTeam(`lastGame(season: ${season}) { homeScore }`),
    ],
    ['a league’s teams', 'a team’s rating', kinds['a team’s rating']],
    [
      'a league’s teams',
      'that a team has none',
      ({ none }) => `{ league { team(id: "${none}") { elo { elo } } } }`,
    ],
    [
      'a league’s transfers',
      'that a player has none',
      ofPlayer(`transfers(season: ${season}) { committed }`),
    ],
    ['a game by its sides', 'both sides', ofGame('boxscores { points }')],
  ]

/** Documents that are generated besides. */
const generatedCount = 30

describe.skipIf(!hasRedis)(`two instances that share a Redis${withoutRedis}`, () => {
  let redis: RedisServer
  let sample: Sample
  let ids: Ids
  let generator: DocumentGenerator
  let services = 0
  const open: { close(): Promise<void> }[] = []

  beforeAll(async () => {
    ;[redis, sample] = await Promise.all([startRedis(), startSample()])
    const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
    const column = (name: string) => games.map((row) => String(row[name]))
    const teams = column('home_team_id')
    const [team = '', other = ''] = teams
    const { organization_id } = basketball
    const players = await sample.rows('team/getPlayers', { organization_id, team_id: team, season })
    const [row] = Object.values(games[0]?.['teams'] ?? {}) as Json[]
    const conference = String(row?.['conference_id'])
    const found = await sample.rows('elo/read', { ...basketball, season, team_id: team })
    const game = String(found.find((one) => one['current'])?.['game_id'])
    const none = '00000000-0000-4000-8000-000000000000'
    const names = players.slice(0, 6).map((one) => String(one['player_id']))
    ids = { team, other, game, player: names[0] ?? '', conference, none }
    const known = { Game: [game, ...column('game_id').slice(0, 5)], Team: teams.slice(0, 6), Player: names }
    const words = { season, date: today, ids: { ...known, Conference: [conference] } }
    generator = new DocumentGenerator(schema, words, 5)
  })
  beforeEach(() => redis.send('FLUSHALL'))
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
  })
  afterAll(async () => {
    await redis.stop()
    await sample.close()
  })

  /** Instances with empty memories, which share what no others have. */
  async function instances() {
    const service = `service ${(services += 1)}`
    return [await instance(service), await instance(service)] as const
  }

  async function instance(service: string, transport: Transport = sample.transport) {
    // It waits longer for Redis, which shares a busy machine with the tests.
    const connection = new RedisConnection(redis.url, { longestWaitMs: 5_000 })
    const answers = new AnswerRedis(connection, { keptFor: 86_400_000, service, leaseMs: 600_000 })
    open.push(answers, connection)
    await connection.ready(30_000)
    return graphOver(transport, { answers, clock: () => sampleNow })
  }

  /** What was bought has been written when nothing is reserved any more. */
  const settled = () =>
    vi.waitFor(async () => expect(await redis.send('KEYS', '*:lease:*')).toEqual([]), {
      interval: 5,
      timeout: patience,
    })

  /** How many scripts Redis has run. An instance that waits for another runs one each time it looks. */
  const looks = async () => {
    const [, calls = 0] =
      /cmdstat_evalsha:calls=(\d+)/.exec(String(await redis.send('INFO', 'commandstats'))) ?? []
    return Number(calls)
  }

  const shown = ({ data, errors }: Answer<unknown>) => ({ data, errors })

  test.each(Object.entries(kinds))('%s costs the second one nothing', async (_name, textOf) => {
    const [one, other] = await instances()
    const text = textOf(ids)
    const bought = await one.query(text)
    expect(bought.errors).toBeUndefined()
    expect(one.calls.take()).not.toEqual([])
    await settled()
    const same = await other.query(text)
    expect(other.calls.take()).toEqual([])
    expect(same.extensions.usage).toMatchObject({ tokens: 0, calls: 0 })
    expect(shown(same)).toEqual(shown(bought))
  })

  test.each(Object.entries(kinds))('%s is bought once if both ask at once', async (_name, textOf) => {
    const both = await instances()
    const text = textOf(ids)
    const alone = sample.graph()
    const expected = await alone.query(text)
    expect(expected.errors).toBeUndefined()
    const answers = await Promise.all(both.map((one) => one.query(text)))
    for (const answer of answers) expect(shown(answer)).toEqual(shown(expected))
    const calls = both.flatMap((one) => one.calls.take())
    expect(calls.toSorted()).toEqual(alone.calls.take())
    const tokens = answers.reduce((sum, { extensions }) => sum + extensions.usage.tokens, 0)
    expect(tokens).toBe(expected.extensions.usage.tokens)
  })

  test('a season that the first one is buying is awaited for a team’s conference', async () => {
    const isOfSeason = (request: Outgoing) =>
      nameOf(request.operation) === 'game/read' && 'season' in request.arguments
    let send = () => {}
    const isSent = new Promise<void>((resolve) => (send = resolve))
    const slow: Transport = async (request) => {
      if (isOfSeason(request)) await isSent
      return sample.transport(request)
    }
    const service = `service ${(services += 1)}`
    const [one, other] = [await instance(service, slow), await instance(service)]
    const text = ofTeam(`conferenceId games(season: ${season}) { homeScore }`)(ids)
    const alone = sample.graph()
    const expected = await alone.query(text)
    const bought = one.query(text)
    await vi.waitFor(
      () => expect(one.calls.sent.map(({ operation }) => operation)).toContain('elo/read'),
      patience,
    )
    // The rating is written, and what is still reserved is the season.
    await vi.waitFor(async () => expect(await redis.send('KEYS', '*:lease:*')).toHaveLength(1), patience)
    const same = other.query(text)
    // By then it has taken the rating over, and looked for its game.
    const before = await looks()
    await vi.waitFor(async () => expect(await looks()).toBeGreaterThan(before + 20), patience)
    send()
    for (const answer of await Promise.all([bought, same])) expect(shown(answer)).toEqual(shown(expected))
    expect([...one.calls.take(), ...other.calls.take()].toSorted()).toEqual(alone.calls.take())
  })

  test.each(told)('%s of the first one tell the second one %s', async (bought, _asked, textOf) => {
    const [one, other] = await instances()
    const first = await one.query(kinds[bought](ids))
    expect(first.errors).toBeUndefined()
    await settled()
    const { errors, extensions } = await other.query(textOf(ids))
    expect(errors).toBeUndefined()
    expect(other.calls.take()).toEqual([])
    expect(extensions.usage).toMatchObject({ tokens: 0, calls: 0 })
  })

  test('generated documents cost the second one nothing', async () => {
    let compared = 0
    for (let count = 0; count < generatedCount;) {
      const { text, variables } = generator.next()
      if (validate(schema, parse(text)).length > 0) continue
      count += 1
      const [one, other] = await instances()
      const bought = await one.query(text, { variables: { ...variables } })
      await settled()
      const same = await other.query(text, { variables: { ...variables } })
      // A refusal is not shared.
      if (bought.errors) continue
      expect({ text, calls: other.calls.take() }).toEqual({ text, calls: [] })
      expect(same.extensions.usage.tokens).toBe(0)
      compared += 1
    }
    expect(compared).toBeGreaterThan(10)
  })
})
