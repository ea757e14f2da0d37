import { afterAll, beforeAll, expect, test } from 'vitest'
import { subjects } from '../../src/loaders/leaderboards.ts'
import { argumentsOf } from '../../src/specification/operation.ts'
import type { Argument, Arguments, Operation } from '../../src/specification/operation.ts'
import { operations } from '../../src/specification/operations.ts'
import { call } from '../../src/calls/call.ts'
import { ClientRequest } from '../../src/account/client-request.ts'
import { basketball, season, startSample } from './harness.ts'
import type { Sample } from './harness.ts'

let sample: Sample
/** One row of each table, whose ids are the arguments of the calls. Others are asked for. */
let values: Readonly<Record<string, Argument>>
/** The fields that read the lists of each table. */
let reading: Readonly<Partial<Record<Operation['yields'], string>>>

const day = '2026-02-13'

beforeAll(async () => {
  sample = await startSample()
  const [transfer, other] = await sample.rows('cbb_transfer_player_season/read')
  const played = await sample.rows('game/getGames', { ...basketball, start_date: day })
  const [game, otherGame] = played.filter(({ boxscore }) => boxscore === 1)
  const [conference, otherConference] = await sample.rows('conference/read', basketball)
  const [elo] = await sample.rows('elo/read', { team_id: String(game?.['home_team_id']), season, current: 1 })
  const [odds] = await sample.rows('odds/read', { game_id: String(game?.['game_id']) })
  const [line] = await sample.rows('player_boxscore/read', { game_id: String(game?.['game_id']) })
  const [boxscore] = await sample.rows('boxscore/readBoxscore', {
    organization_id: basketball.organization_id,
    game_id: String(game?.['game_id']),
  })
  const [coach] = await sample.rows('coach/read')
  const [seasonRow] = await sample.rows('player/getSeasons', { player_id: String(transfer?.['player_id']) })
  values = {
    ...basketball,
    ...(Object.fromEntries(
      [transfer, game, conference, elo, odds, boxscore, coach, seasonRow, line].flatMap((row) =>
        Object.entries(row ?? {}).filter(
          ([name, value]) => name.endsWith('_id') && typeof value === 'string',
        ),
      ),
    ) as Record<string, string>), // only texts are left
    player_id: String(transfer?.['player_id']),
    team_id: String(game?.['home_team_id']),
    season,
    start_date: day,
    current: 1,
    inactive: 0,
    name: 'an',
    team: 1,
    player: 1,
    coach: 1,
  }
  const both = (type: string, ids: readonly unknown[], fields: string) =>
    ids.map((id, nth) => `${type}${nth}: ${type}(id: "${String(id)}") { ${fields} }`).join('\n')
  const teams = (fields: string) =>
    both('team', [game?.['home_team_id'], otherGame?.['home_team_id']], fields)
  const games = (fields: string) => both('game', [game?.['game_id'], otherGame?.['game_id']], fields)
  const players = (fields: string) => both('player', [transfer?.['player_id'], other?.['player_id']], fields)
  const conferences = (fields: string) =>
    both('conference', [conference?.['conference_id'], otherConference?.['conference_id']], fields)
  const ranked = (subject: string, orderBy: string) =>
    `league { ranking(subject: ${subject}, orderBy: "${orderBy}", first: 30) { totalCount edges { node { id } } } }`
  reading = {
    organization: 'organizations { organizationId } all: organizations(active: null) { organizationId }',
    division: 'divisions { divisionId } all: divisions(active: null) { divisionId }',
    game: `league { currentSeason seasons games(date: "${day}") { gameId } } ${teams('games { gameId }')}`,
    team: teams('conferenceId conference { conferenceId }'),
    prediction: games('prediction { predictionId }'),
    odds: games('odds { pre { oddsId } live { oddsId } history { oddsId } }'),
    elo: `league { currentSeason seasons elo { eloId } teams { teamId } }
      ${teams('elo { eloId } eloHistory { eloId } conferenceId')}`,
    player: teams('roster { playerId }'),
    player_team_season: players('seasons { playerTeamSeasonId }'),
    cbb_transfer_player_season: `league { transfers { id } } ${players('transfers { id }')} ${ranked('TRANSFER', 'points')}`,
    conference: 'league { conferences { conferenceId } }',
    boxscore: `${games('boxscores { boxscoreId } away: boxscore(side: AWAY) { boxscoreId }')} ${teams('boxscores { boxscoreId }')}`,
    player_boxscore: `${games('playerBoxscores { playerBoxscoreId } home: playerBoxscores(side: HOME) { playerBoxscoreId }')}
      ${players('gameLog { playerBoxscoreId }')}`,
    statistic_ranking: `${teams('stats { id }')} ${conferences('projection { standings { id } }')} ${ranked('TEAM', 'points')}`,
    player_statistic_ranking: `${players('stats { id } careerStats { id }')} ${ranked('PLAYER', 'points_per_game')}`,
    coach_statistic_ranking: `coach(id: "${String(coach?.['coach_id'])}") { stats { id } } ${ranked('COACH', 'wins')}`,
    conference_statistic_ranking: `${conferences('stats { id }')} ${ranked('CONFERENCE', 'points')}`,
    league_statistic_ranking: 'league { currentSeason seasons averages { id } }',
    conference_player_statistic_ranking: conferences('playerAverages { id }'),
    league_player_statistic_ranking: 'league { playerAverages { id } }',
    search:
      'league { search(name: "an") { teams { teamId } players { player { playerId } } coaches { coach { coachId } } } }',
  }
})
afterAll(() => sample.close())

const field = 'Test.lists'

/** The same data with the items of lists in one order: some lists have the order of what is known. */
function sorted(data: unknown): unknown {
  if (Array.isArray(data))
    return data.map(sorted).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, sorted(value)]))
}

/** Player boxscores of a whole season take seconds, and no field asks for them. */
const isOfSeason = ({ yields }: Operation, given: Arguments) =>
  yields === 'player_boxscore' &&
  Object.keys(given).every((name) => /^(season|organization_id|division_id)$/.test(name))

/** The arguments of an operation: each alone, and each with the league and the season. */
function callsOf(operation: Operation): Arguments[] {
  const { arguments: names } = operation
  const type = Object.values(subjects).find((subject) => subject.operation === operation)?.type
  const known = (name: string) => (name === 'type' ? type : values[name]) ?? null
  const league = argumentsOf({
    organization_id: names.includes('organization_id') ? known('organization_id') : null,
    division_id: names.includes('division_id') ? known('division_id') : null,
  })
  const inSeason = names.includes('season') ? { ...league, season } : league
  const calls = names
    .filter((name) => known(name) !== null)
    .flatMap((name) => {
      const one = argumentsOf({ [name]: known(name) })
      return [one, { ...inSeason, ...one }]
    })
  return [
    ...new Map(
      calls.filter((one) => !isOfSeason(operation, one)).map((one) => [JSON.stringify(one), one]),
    ).values(),
  ]
}

const tableNames = [...new Set(Object.values<Operation>(operations).map(({ yields }) => yields))]

test.each(tableNames)(
  'whatever an operation has brought of %s, by any of its arguments, no list lacks a row or has another’s',
  async (table) => {
    const fields = reading[table]
    // Their rows are in no list.
    if (fields === undefined) return expect(['coach']).toContain(table)
    const text = `{ ${fields} }`
    const cold = await sample.graph().query(text)
    expect(cold.errors).toBeUndefined()
    const told: unknown[] = []
    for (const operation of Object.values<Operation>(operations).filter(({ yields }) => yields === table))
      for (const given of callsOf(operation)) {
        const graph = sample.graph()
        const request = new ClientRequest(graph.upstream.accountOf('sample-paid'))
        // Some lack an argument, and bring nothing.
        await call(request.account, { operation, arguments: given, requests: [request], field }).catch(
          () => {},
        )
        const { data, errors } = await graph.query(text)
        const name = `${operation.class}/${operation.function} ${Object.keys(given).join(' ')}`
        if (errors) told.push([name, errors])
        for (const [own, value] of Object.entries(data))
          if (JSON.stringify(sorted(value)) !== JSON.stringify(sorted(cold.data[own]))) told.push([name, own])
      }
    expect(told).toEqual([])
  },
)
