import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  basketballLine,
  footballLine,
  rankedPlayerStatistics,
  rankedTeamStatistics,
  rankOf,
  unrankedCounts,
} from '../../../src/specification/statistics.ts'
import { playerColumnsNotInRoster, sportColumns, tables } from '../../../src/specification/tables.ts'
import type { TableName } from '../../../src/specification/tables.ts'
import { within } from '../client.ts'
import type { Json } from '../client.ts'
import { allNumbers, expectShape, without } from './shapes.ts'
import { leagueOf, openTarget, rowsOf } from './target.ts'
import type { League, Target } from './target.ts'

const mean = (rows: readonly Json[], column: string) =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0) / rows.length

const side = ({ game, home, place }: League) => ({
  organization_id: place.organization_id,
  game_id: game['game_id'],
  team_id: home,
})

describe('rows and their fields', () => {
  let target: Target
  let basketball: League
  let football: League

  beforeAll(async () => {
    target = await openTarget()
    const [one, other] = [await leagueOf(target.paid, 'basketball'), await leagueOf(target.paid, 'football')]
    if (!one || !other)
      throw new Error('The service needs a basketball and a football league with boxscores.')
    basketball = one
    football = other
  })
  afterAll(() => target.stop())

  const first = async (operation: string, given: object = {}): Promise<Json> =>
    (await target.paid.get(operation, { ...given })).body

  const plainTables = [
    'organization',
    'division',
    'game',
    'prediction',
    'odds',
    'elo',
    'player',
    'player_team_season',
    'cbb_transfer_player_season',
    'coach',
    'conference',
  ] as const satisfies readonly TableName[]

  test.each(plainTables)('a row of %s has every field of the specification, of its type', async (table) => {
    expectShape(await first(`${table}/get`), tables[table])
  })

  test('a team has every field of the specification, and its conference inside getGames alone', async () => {
    const row = await first('team/get', { team_id: basketball.home })
    expectShape(row, without(tables.team, 'conference_id'))
    expect(row).not.toHaveProperty('conference_id')
    expect(row['char6']).toMatch(/^[A-Z0-9&]{1,6}$/)
    expect(row['primary_color']).toMatch(/^#[0-9A-Fa-f]{6}$/)
    const games = await first('game/getGames', { ...basketball.place, start_date: basketball.day })
    for (const id of Object.keys(games))
      for (const team of Object.values(within(games, id, 'teams'))) expectShape(team as Json, tables.team) // a team is an object
  })

  test('a game starts on its day, and its start is told twice', async () => {
    const games = await rowsOf(
      target.paid.get('game/getGames', { ...football.place, start_date: football.day }),
    )
    for (const game of games) {
      expect(String(game['start_date'])).toBe(`${football.day}T00:00:00.000Z`)
      if (game['start_datetime'] !== null)
        expect(Date.parse(String(game['start_datetime']))).toBe(Number(game['start_timestamp']) * 1000)
    }
    expect(games.length).toBeGreaterThan(0)
  })

  test('a finished game is final, its period Final and its clock 0:00', async () => {
    expect(basketball.game).toMatchObject({ status: 'final', current_period: 'Final', clock: '0:00' })
    expect(Number.isInteger(basketball.game['home_score'])).toBe(true)
    expect(basketball.game).not.toHaveProperty('teams')
  })

  test('a prediction’s percentages are two numbers between 0 and 1 that make one', async () => {
    const row = await first('prediction/get', { game_id: basketball.game['game_id'], current: 1, live: 0 })
    const [home, away] = [Number(row['home_percentage']), Number(row['away_percentage'])]
    expect(Math.min(home, away)).toBeGreaterThanOrEqual(0)
    expect(home + away).toBeCloseTo(1)
  })

  test('a pre-game prediction is made before its game begins', async () => {
    const season = { season: basketball.season }
    const games = await rowsOf(target.paid.get('game/read', { ...basketball.place, ...season }))
    const starts = new Map(
      games.map((game) => [game['game_id'], game['start_datetime'] ?? game['start_date']]),
    )
    const predictions = await rowsOf(target.paid.get('prediction/read', { ...season, live: 0 }))
    const ofGames = predictions.filter((row) => starts.has(row['game_id']))
    expect(ofGames.length).toBeGreaterThan(0)
    expect(
      ofGames.filter((row) => String(row['date_of_entry']) > String(starts.get(row['game_id']))),
    ).toEqual([])
  })

  test('a player’s height is feet and inches, and a roster leaves four columns out', async () => {
    const given = {
      organization_id: basketball.place.organization_id,
      team_id: basketball.home,
      season: basketball.season,
    }
    const roster = await rowsOf(target.paid.get('team/getPlayers', given))
    expect(roster.length).toBeGreaterThan(0)
    for (const player of roster) {
      expectShape(player, without(tables.player, ...playerColumnsNotInRoster))
      expect(player['height']).toMatch(/^\d-\d{1,2}$/)
      for (const column of playerColumnsNotInRoster) expect(player).not.toHaveProperty(column)
    }
  })

  test('organization_id decides which boxscore columns come back', async () => {
    const [ball, gridiron] = [
      await first('boxscore/getBoxscore', side(basketball)),
      await first('boxscore/getBoxscore', side(football)),
    ]
    expectShape(ball, { ...tables.boxscore, ...sportColumns.basketball_boxscore })
    expectShape(gridiron, { ...tables.boxscore, ...sportColumns.football_boxscore })
    expect(ball).not.toHaveProperty('rushing_yards')
    expect(gridiron).not.toHaveProperty('steals')
    expect(footballLine.filter((column) => gridiron[column] !== null).length).toBeGreaterThan(
      footballLine.length / 2,
    )
  })

  test('a player’s boxscore has the basketball columns and the player’s name', async () => {
    const row = await first('player_boxscore/get', { game_id: basketball.game['game_id'] })
    expectShape(row, { ...tables.player_boxscore, ...sportColumns.basketball_player_boxscore })
  })

  test('players add up to teams, and teams to scores', async () => {
    const game_id = basketball.game['game_id']
    const sum = async (team_id: string) =>
      (await rowsOf(target.paid.get('player_boxscore/read', { game_id, team_id }))).reduce(
        (points, row) => points + Number(row['points']),
        0,
      )
    const organization_id = basketball.place.organization_id
    const teams = await rowsOf(target.paid.get('boxscore/readBoxscore', { organization_id, game_id }))
    for (const team of teams) {
      const score = team['team_id'] === basketball.home ? 'home_score' : 'away_score'
      expect(team['points']).toBe(basketball.game[score])
      expect(await sum(String(team['team_id']))).toBe(team['points'])
    }
    expect(teams).toHaveLength(2)
  })

  test('a team’s statistics have every count, index, average and opponent average, each with its rank', async () => {
    const row = await first('team/getStats', {
      ...basketball.place,
      team_id: basketball.home,
      season: basketball.season,
    })
    expectShape(row, {
      ...tables.statistic_ranking,
      ...allNumbers([...unrankedCounts, ...rankedTeamStatistics, ...rankedTeamStatistics.map(rankOf)]),
    })
    for (const count of unrankedCounts) expect(row).not.toHaveProperty(rankOf(count))
    expect(row).not.toHaveProperty('opponent_adjusted_efficiency_rating')
    expect(Number(row['field_goal_percentage'])).toBeGreaterThan(1)
    expect(Number(row['field_goal_percentage'])).toBeLessThanOrEqual(100)
  })

  test('a team’s averages are those of its boxscores', async () => {
    const { organization_id } = basketball.place
    const given = { team_id: basketball.home, season: basketball.season }
    const row = await first('team/getStats', { ...basketball.place, ...given })
    const lines = (
      await rowsOf(target.paid.get('boxscore/readBoxscore', { organization_id, ...given }))
    ).filter((line) => line['final'] === 1)
    expect(row['games']).toBe(lines.length)
    for (const column of [
      'points',
      'assists',
      'total_rebounds',
      'turnovers',
    ] as const satisfies readonly (typeof basketballLine)[number][]) {
      const mean = lines.reduce((sum, line) => sum + Number(line[column]), 0) / lines.length
      expect(Number(row[column])).toBeCloseTo(mean, 1)
    }
  })

  test('a rank is among all teams of the division that have a row of that day', async () => {
    const current = await first('team/getStats', {
      ...basketball.place,
      team_id: basketball.home,
      season: basketball.season,
    })
    const given = { ...basketball.place, season: basketball.season, date_of_rank: current['date_of_rank'] }
    const rows = await rowsOf(target.paid.get('statistic_ranking/read', given))
    expect(rows.length).toBeGreaterThan(1)
    for (const row of rows)
      expect(row['points_rank']).toBe(
        1 + rows.filter((other) => Number(other['points']) > Number(row['points'])).length,
      )
  })

  test('a division’s and a conference’s averages are those of their teams', async () => {
    const given = { ...basketball.place, season: basketball.season }
    const teams = await rowsOf(target.paid.get('ranking/download', { ...given, type: 'team' }))
    const league = await first('league_statistic_ranking/getStats', { ...given, current: 1 })
    expect(Number(league['points'])).toBeCloseTo(mean(teams, 'points'), 1)
    const day = await rowsOf(
      target.paid.get('game/getGames', { ...basketball.place, start_date: basketball.day }),
    )
    const [team] = Object.values(within(day[0] ?? {}, 'teams')) as Json[] // a team is an object
    const conference_id = String(team?.['conference_id'])
    const members = await rowsOf(
      target.paid.get('conference/getConferencePrediction', {
        organization_id: basketball.place.organization_id,
        season: basketball.season,
        conference_id,
      }),
    )
    const conference = await first('conference_statistic_ranking/getStats', {
      ...given,
      conference_id,
      current: 1,
    })
    const ids = new Set(members.map((member) => member['team_id']))
    const own = teams.filter((row) => ids.has(row['team_id']))
    expect(Number(conference['points'])).toBeCloseTo(mean(own, 'points'), 1)
    expect(own.length).toBeLessThan(teams.length)
  })

  test('a team has one row for each day of the season, the latest of them current', async () => {
    const given = { ...basketball.place, team_id: basketball.home, season: basketball.season }
    const rows = await rowsOf(target.paid.get('statistic_ranking/read', given))
    const days = rows.map((row) => String(row['date_of_rank']))
    expect(new Set(days).size).toBe(days.length)
    expect(days).toEqual(days.toSorted())
    expect(rows.filter((row) => row['current'] === 1).map((row) => row['date_of_rank'])).toEqual([
      days.at(-1),
    ])
  })

  test('a player’s statistics have the fields shown, each with its rank', async () => {
    const row = await first('player_statistic_ranking/getStats', {
      ...basketball.place,
      season: basketball.season,
      current: 1,
    })
    expectShape(row, {
      ...tables.player_statistic_ranking,
      basketball_player_statistic_id: tables.player_statistic_ranking.sport_player_statistic_id,
      ...allNumbers(['games', ...rankedPlayerStatistics, ...rankedPlayerStatistics.map(rankOf)]),
    })
  })

  test('of a team’s ratings of a season the latest is current', async () => {
    const rows = await rowsOf(
      target.paid.get('elo/read', { team_id: basketball.home, season: basketball.season }),
    )
    const current = rows.filter((row) => row['current'] === 1)
    expect(current).toHaveLength(1)
    const latest = rows
      .map((row) => String(row['date_of_entry']))
      .toSorted()
      .at(-1)
    expect(current[0]?.['date_of_entry']).toBe(latest)
  })
})
