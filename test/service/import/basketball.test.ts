import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { grouped, rankAmong, rawRows, sumOf } from './raw.ts'
import type { RawRow } from './raw.ts'
import { hasSeason, importedSeason, sourceFolder, withoutSeason } from './seasons.ts'
import type { ImportedSeason } from './seasons.ts'

type Statistics = Record<string, number | null>

const number = (row: RawRow, column: string) => Number(row[column])
const total = (rows: readonly RawRow[], column: string) => sumOf(rows.map((row) => number(row, column)))

/** `12/17/2025` → `2025-12-17`. */
const dayOf = (date = '') => `${date.slice(6)}-${date.slice(0, 2)}-${date.slice(3, 5)}`

const shown = (rows: (string | null | undefined)[][]) => rows.map((row) => row.join(' ')).toSorted()

describe.skipIf(!hasSeason('basketball'))(`a real season of basketball${withoutSeason('basketball')}`, () => {
  let imported: ImportedSeason
  let database: Database
  let boxes: RawRow[]
  let schedule: RawRow[]
  const days = new Map<string, string>()

  beforeAll(async () => {
    imported = await importedSeason('basketball')
    database = await openDatabase(imported.folder)
    boxes = rawRows(sourceFolder('basketball'), 'team_box')
    schedule = rawRows(sourceFolder('basketball'), 'schedule')
    for (const game of schedule) days.set(game['contest_id'] ?? '', dayOf(game['game_date']))
  })
  afterAll(() => database.close())

  const teamNamed = (name: string) =>
    database.db.selectFrom('team').selectAll().where('name', '=', name).executeTakeFirstOrThrow()

  const gameOf = (contest: string) =>
    database.db
      .selectFrom('game')
      .selectAll()
      .where('guid', '=', `ncaa/contests/${contest}`)
      .executeTakeFirstOrThrow()

  async function statisticsOn(day: string): Promise<Map<string, Statistics>> {
    const rows = await database.db
      .selectFrom('statistic_ranking')
      .innerJoin('team', 'team.team_id', 'statistic_ranking.team_id')
      .select(['team.name', 'line'])
      .where('date_of_rank', '=', `${day}T00:00:00.000Z`)
      .execute()
    return new Map(rows.map((row) => [row.name ?? '', JSON.parse(row.line) as Statistics]))
  }

  const through = (day: string) => boxes.filter((box) => (days.get(box['contest_id'] ?? '') ?? '') <= day)

  it('has the whole of it', () => {
    expect(imported.summary.rows).toMatchObject({
      game: 6297,
      boxscore: 12_594,
      membership: 365,
      conference: 31,
      player: 5633,
      prediction: 6297,
      statistic_ranking: 365 * 155,
    })
  })

  it('says what was wrong with the source', () => {
    const counts = imported.summary.notes.map(({ what, count }) => [what, count])
    expect(counts).toContainEqual(['games with home and away score swapped in the schedule', 61])
    expect(counts).toContainEqual(['games whose boxscore and schedule differ otherwise', 10])
    expect(counts).toContainEqual(['games with a team from outside the division', 547])
    expect(counts).toContainEqual(['teams of the division without colours', 7])
  })

  it('has the right score of a game that the schedule has the wrong way round', async () => {
    const wrong = schedule.find((game) => game['game_date'] === '12/17/2025' && game['home'] === 'Ole Miss')
    expect([wrong?.['home_score'], wrong?.['away_score']]).toEqual(['66', '80'])
    const game = await gameOf(wrong?.['contest_id'] ?? '')
    expect([game.home_score, game.away_score, game.status, game.clock]).toEqual([80, 66, 'final', '0:00'])
    expect(game.home_team_id).toBe((await teamNamed('Ole Miss')).team_id)
  })

  it('has every score as the boxscore has it, ten disputed games aside', async () => {
    const points = new Map(boxes.map((box) => [`${box['contest_id']} ${box['team']}`, number(box, 'pts')]))
    const games = await database.db.selectFrom('game').select(['guid', 'home_score', 'away_score']).execute()
    const scores = new Map(games.map((game) => [game.guid, game]))
    const differing = schedule.filter((raw) => {
      const game = scores.get(`ncaa/contests/${raw['contest_id']}`)
      const of = (side: string) => points.get(`${raw['contest_id']} ${raw[side]}`)
      return game?.home_score !== of('home') || game?.away_score !== of('away')
    })
    expect(differing).toHaveLength(10)
  })

  it('keeps a game against a team from outside the division, which has no row in the tables of the division', async () => {
    const game = await gameOf('6477827')
    const home = await database.db
      .selectFrom('team')
      .selectAll()
      .where('team_id', '=', game.home_team_id)
      .executeTakeFirstOrThrow()
    expect([home.name, game.home_score, game.away_score]).toEqual(['Nobel', 55, 92])
    for (const table of ['membership', 'elo', 'statistic_ranking'] as const) {
      const rows = await database.db
        .selectFrom(table)
        .selectAll()
        .where('team_id', '=', home.team_id)
        .execute()
      expect(rows).toEqual([])
    }
  })

  it('has a roster as the source has it', async () => {
    const raw = rawRows(sourceFolder('basketball'), 'team_rosters').filter((row) => row['team'] === 'Duke')
    const duke = await teamNamed('Duke')
    const players = await database.db
      .selectFrom('player_team_season')
      .innerJoin('player', 'player.player_id', 'player_team_season.player_id')
      .select(['player.first_name', 'player.last_name', 'player.number', 'player.height', 'player.position'])
      .where('team_id', '=', duke.team_id)
      .execute()
    expect(shown(players.map((p) => [p.first_name, p.last_name, p.number, p.height, p.position]))).toEqual(
      shown(raw.map((row) => [row['clean_name'], row['jersey'], row['height'], row['position']])),
    )
    expect([duke.char6, duke.alt_name, duke.primary_color]).toEqual(['DUKE', 'Duke Blue Devils', '#001A57'])
  })

  it('has every team’s averages as its boxscores give them', async () => {
    const statistics = await statisticsOn('2026-04-06')
    expect(statistics.size).toBe(365)
    const ofTeam = grouped(boxes, (box) => box['team'] ?? '')
    for (const [name, line] of statistics) {
      const games = ofTeam.get(name) ?? []
      const mean = (column: string) => total(games, column) / games.length
      const possessions = mean('fga') - mean('orb') + mean('to') + 0.475 * mean('fta')
      expect(line['games']).toBe(games.length)
      expect(line['points']).toBeCloseTo(mean('pts'), 2)
      expect(line['opponent_points']).toBeCloseTo(mean('d_pts'), 2)
      expect(line['total_rebounds']).toBeCloseTo(mean('orb') + mean('drb'), 2)
      expect(line['field_goal_percentage']).toBeCloseTo((100 * total(games, 'fgm')) / total(games, 'fga'), 2)
      expect(line['two_point_field_goal']).toBeCloseTo(mean('fgm') - mean('tpm'), 2)
      expect(line['possessions']).toBeCloseTo(possessions, 2)
      expect(line['offensive_rating']).toBeCloseTo((100 * mean('pts')) / possessions, 2)
      expect(line['steals']).toBeNull()
    }
  })

  it('estimates possessions close to those counted play by play', async () => {
    const statistics = await statisticsOn('2026-04-06')
    const ofTeam = grouped(boxes, (box) => box['team'] ?? '')
    const errors = [...statistics].map(([name, line]) => {
      const games = ofTeam.get(name) ?? []
      return Math.abs((line['possessions'] ?? 0) - total(games, 'o_poss') / games.length)
    })
    expect(sumOf(errors) / errors.length).toBeLessThan(0.7)
  })

  it('has the ranks of a day in January as counting all teams of that day gives them', async () => {
    const day = '2026-01-15'
    const statistics = await statisticsOn(day)
    const ofTeam = grouped(through(day), (box) => box['team'] ?? '')
    const means = (column: string) =>
      new Map(
        [...statistics.keys()].map((name) => {
          const games = ofTeam.get(name) ?? []
          return [name, Math.round((1000 * total(games, column)) / games.length) / 1000]
        }),
      )
    const [points, against] = [means('pts'), means('d_pts')]
    for (const [name, line] of statistics) {
      expect(line['points_rank']).toBe(rankAmong(points.get(name) ?? 0, [...points.values()]))
      const fewest = [...against.values()].map((value) => -value)
      expect(line['opponent_points_rank']).toBe(rankAmong(-(against.get(name) ?? 0), fewest))
    }
  })

  it('rates the finalists of the tournament among the ten best', async () => {
    const best = await database.db
      .selectFrom('elo')
      .innerJoin('team', 'team.team_id', 'elo.team_id')
      .select('name')
      .where('current', '=', 1)
      .orderBy('elo', 'desc')
      .limit(10)
      .execute()
    const last = schedule.flatMap((game) =>
      game['game_date'] === '04/06/2026' ? [game['home'], game['away']] : [],
    )
    expect(last).toHaveLength(2)
    expect(best.map((team) => team.name)).toEqual(expect.arrayContaining(last))
  })
})
