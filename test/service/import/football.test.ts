import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { grouped, rankAmong, rawRows, sumOf } from './raw.ts'
import type { RawRow } from './raw.ts'
import { hasSeason, importedSeason, sourceFolder, withoutSeason } from './seasons.ts'
import type { ImportedSeason } from './seasons.ts'

type Statistics = Record<string, number | null>

const number = (row: RawRow, column: string) => Number(row[column])

const isPerson = (row: RawRow) => number(row, 'athlete_id') > 0

describe.skipIf(!hasSeason('football'))(`a real season of football${withoutSeason('football')}`, () => {
  let imported: ImportedSeason
  let database: Database
  let schedule: RawRow[]
  let boxes: RawRow[]
  let players: RawRow[]
  let lines: Map<string, Statistics>

  beforeAll(async () => {
    imported = await importedSeason('football')
    database = await openDatabase(imported.folder)
    const folder = sourceFolder('football')
    schedule = rawRows(folder, 'schedule')
    boxes = rawRows(folder, 'team_box')
    players = rawRows(folder, 'player_box')
    const rows = await database.db
      .selectFrom('boxscore')
      .innerJoin('game', 'game.game_id', 'boxscore.game_id')
      .innerJoin('team', 'team.team_id', 'boxscore.team_id')
      .select(['game.guid as game', 'team.guid as team', 'boxscore.line'])
      .execute()
    lines = new Map(rows.map((row) => [`${row.game} ${row.team}`, JSON.parse(row.line) as Statistics]))
  })
  afterAll(() => database.close())

  const lineOf = (row: RawRow) => lines.get(`espn/games/${row['game_id']} espn/teams/${row['team_id']}`)

  const gameOf = (id: string) =>
    database.db
      .selectFrom('game')
      .selectAll()
      .where('guid', '=', `espn/games/${id}`)
      .executeTakeFirstOrThrow()

  it('has the whole of it', () => {
    expect(imported.summary.rows).toMatchObject({
      game: 958,
      boxscore: 1916,
      membership: 236,
      odds: 946,
      elo: 1916,
      prediction: 958,
      statistic_ranking: 236 * 150,
      player_boxscore: new Set(
        players.filter(isPerson).map((row) => `${row['game_id']} ${row['athlete_id']}`),
      ).size,
    })
  })

  it('has a final score, its place and its time', async () => {
    const game = await gameOf('401767509')
    expect(game).toMatchObject({
      home_score: 0,
      away_score: 38,
      status: 'final',
      attendance: 10_691,
      neutral_site: 0,
      start_datetime: '2025-08-30T16:00:00.000Z',
      start_date: '2025-08-30T00:00:00.000Z',
      start_timestamp: 1_756_569_600,
    })
  })

  it('has a night game on its American day', async () => {
    const night = schedule.find((game) => game['game_date']?.endsWith('T02:30Z'))
    const game = await gameOf(night?.['game_id'] ?? '')
    const utc = night?.['game_date']?.slice(0, 10) ?? ''
    const before = new Date(Date.parse(utc) - 86_400_000).toISOString()
    expect([game.start_datetime?.slice(0, 10), game.start_date]).toEqual([utc, before])
  })

  it('splits made and attempted at any separator', () => {
    expect(lines.get('espn/games/401767509 espn/teams/2449')).toMatchObject({
      points: 38,
      first_downs: 25,
      third_down_conversions: 7,
      third_down_attempts: 12,
      fourth_down_conversions: 1,
      fourth_down_attempts: 1,
      passing_completions: 16,
      passing_attempts: 22,
      passing_yards: 263,
      penalties: 6,
      penalty_yards: 35,
      time_of_possession_seconds: 36 * 60 + 3,
      successful_pass_plays: null,
      rushing_yards_gained: null,
    })
  })

  it('takes from the players what the teams’ file lacks', () => {
    const ofTeam = grouped(players, (row) => `${row['game_id']} ${row['team_id']} ${row['category']}`)
    for (const box of boxes) {
      const rows = (category: string) => ofTeam.get(`${box['game_id']} ${box['team_id']} ${category}`) ?? []
      const sum = (category: string, column: string) =>
        sumOf(rows(category).map((row) => number(row, column)))
      if (rows('receiving').length === 0) continue
      const line = lineOf(box)
      expect(line?.['receptions']).toBe(sum('receiving', 'receptions'))
      expect(line?.['rushing_touchdowns']).toBe(sum('rushing', 'rushingTouchdowns'))
      expect(line?.['interceptions']).toBe(sum('interceptions', 'interceptions'))
      expect(line?.['kick_return_yards']).toBe(sum('kickReturns', 'kickReturnYards'))
      expect(line?.['receiving_long']).toBe(
        Math.max(...rows('receiving').map((row) => number(row, 'longReception'))),
      )
    }
  })

  it('reads a passer whose numbers stand in numbered columns', async () => {
    const box = await database.db
      .selectFrom('player_boxscore')
      .innerJoin('game', 'game.game_id', 'player_boxscore.game_id')
      .select('player_boxscore.line')
      .where('last_name', '=', 'Payton')
      .where('first_name', '=', 'Cole')
      .where('game.guid', '=', 'espn/games/401767509')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(box.line)).toMatchObject({
      passing_completions: 11,
      passing_attempts: 17,
      passing_yards: 192,
      passing_touchdowns: 1,
      passing_interceptions: 0,
      punts: null,
    })
  })

  it('has real lines, not placeholders, with opposite sides', async () => {
    const odds = await database.db.selectFrom('odds').selectAll().execute()
    expect(odds).toHaveLength(946)
    for (const row of odds) expect((row.spread_home ?? 0) + (row.spread_away ?? 0)).toBe(0)
    expect(odds.every((row) => row.over === row.under && row.current === 1 && row.live === 0)).toBe(true)
    expect(odds.every((row) => row.money_line_home === null)).toBe(true)
  })

  it('makes no player of a team’s own entries', async () => {
    const guids = await database.db.selectFrom('player').select('guid').execute()
    const people = new Set(players.filter(isPerson).map((row) => `espn/athletes/${row['athlete_id']}`))
    expect(new Set(guids.map((row) => row.guid))).toEqual(people)
  })

  it('has every team’s averages and ranks as its boxscores give them', async () => {
    const rows = await database.db
      .selectFrom('statistic_ranking')
      .innerJoin('team', 'team.team_id', 'statistic_ranking.team_id')
      .select(['team.guid', 'line'])
      .where('current', '=', 1)
      .execute()
    const ofTeam = grouped(boxes, (box) => `espn/teams/${box['team_id']}`)
    const yards = (guid: string | null) => {
      const games = ofTeam.get(guid ?? '') ?? []
      return Math.round((1000 * sumOf(games.map((box) => number(box, 'totalYards')))) / games.length) / 1000
    }
    // Half of the teams have twelve games and more: six make a rank.
    const isRanked = (guid: string | null) => (ofTeam.get(guid ?? '')?.length ?? 0) >= 6
    const all = rows.filter((row) => isRanked(row.guid)).map((row) => yards(row.guid))
    expect([rows.length, all.length]).toEqual([236, 138])
    for (const row of rows) {
      const line = JSON.parse(row.line) as Statistics
      expect(line['total_yards']).toBe(yards(row.guid))
      expect(line['total_yards_rank']).toBe(isRanked(row.guid) ? rankAmong(yards(row.guid), all) : null)
    }
  })

  it('adds a player’s season up, and ranks it', async () => {
    const rushing = players.filter((row) => row['category'] === 'rushing' && isPerson(row))
    const yards = [...grouped(rushing, (row) => row['athlete_id'] ?? '')].map(
      ([id, rows]) => [id, sumOf(rows.map((row) => number(row, 'rushingYards')))] as const,
    )
    const [best, most] = yards.reduce((first, next) => (next[1] > first[1] ? next : first))
    const row = await database.db
      .selectFrom('player_statistic_ranking')
      .innerJoin('player', 'player.player_id', 'player_statistic_ranking.player_id')
      .select('line')
      .where('player.guid', '=', `espn/athletes/${best}`)
      .where('career', '=', 0)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(row.line)).toMatchObject({ rushing_yards: most, rushing_yards_rank: 1 })
  })
})
