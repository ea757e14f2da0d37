import { afterAll, beforeAll, expect, it } from 'vitest'
import { importCsv } from '../../../src/service/import/csv-season.ts'
import { storedRules } from '../../../src/service/league/league-rules.ts'
import { mensCollegeBasketball } from '../../../src/service/leagues/mens-college-basketball.ts'
import { womensCollegeBasketball } from '../../../src/service/leagues/womens-college-basketball.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { folderOf } from './small-source.ts'

// The same colleges, under the same ids, play in both leagues.
const teams = 'team_id,name,conference\nant,Ants,Insects\nbee,Bees,Insects\ncat,Cats,Mammals\n'
const files = (scores: readonly [string, string]) => ({
  teams,
  games: [
    'game_id,season,date,home_team_id,away_team_id,home_score,away_score,conference_game',
    `1,2026,2025-11-04,ant,bee,${scores[0]},true`,
    `2,2026,2025-11-08,bee,cat,${scores[1]},false`,
    '3,2026,2026-03-01,cat,ant,,,false',
    '',
  ].join('\n'),
  team_boxscores: [
    'game_id,team_id,field_goal_attempts,free_throw_attempts,offensive_rebounds,turnovers,minutes_played',
    '1,ant,60,20,10,15,200',
    '1,bee,58,16,8,12,200',
    '',
  ].join('\n'),
})
const men = files(['80,70', '75,72'])
const women = files(['61,55', '70,48'])

let database: Database
beforeAll(async () => {
  database = await openDatabase(':memory:')
  for (const [league, season] of [
    ['mens-college-basketball', men],
    ['womens-college-basketball', women],
  ] as const) {
    const folder = folderOf(season, false)
    await importCsv(database, folder.path, () => {}, undefined, { league })
    folder.remove()
  }
})
afterAll(() => database.close())

async function leagueNamed(name: string) {
  const { organization_id } = await database.db
    .selectFrom('organization')
    .select('organization_id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  const games = await database.db
    .selectFrom('game')
    .innerJoin('prediction', 'prediction.game_id', 'game.game_id')
    .selectAll('game')
    .select(['home_percentage', 'prediction.home_score as predicted', 'prediction.away_score as visitors'])
    .where('game.organization_id', '=', organization_id)
    .orderBy('start_date')
    .execute()
  return { organization_id: organization_id ?? '', division_id: games[0]?.division_id ?? '', games }
}

it('women’s and men’s leagues stand side by side, with teams and games of their own', async () => {
  const [hers, his] = [
    await leagueNamed('Women’s College Basketball'),
    await leagueNamed('College Basketball'),
  ]
  expect(hers.games.map(({ home_score, away_score }) => [home_score, away_score])).toEqual([
    [61, 55],
    [70, 48],
    [null, null],
  ])
  expect(his.games.map(({ home_score, away_score }) => [home_score, away_score])).toEqual([
    [80, 70],
    [75, 72],
    [null, null],
  ])
  const ids = [...hers.games, ...his.games].flatMap(({ game_id, home_team_id }) => [game_id, home_team_id])
  expect(new Set(ids).size).toBe(2 * 6)
  expect(await database.db.selectFrom('team').select('team_id').execute()).toHaveLength(6)
})

it('each league’s numbers follow the constants of its own file', async () => {
  const hers = await leagueNamed('Women’s College Basketball')
  const his = await leagueNamed('College Basketball')
  expect(await storedRules(database.db, hers)).toEqual(womensCollegeBasketball.rules)
  expect(await storedRules(database.db, his)).toEqual(mensCollegeBasketball.rules)
  // For teams without a game, the usual score decides the total: 65 and 75 points a side.
  const totalOf = ({ games: [first] }: typeof hers) => (first?.predicted ?? 0) + (first?.visitors ?? 0)
  expect(Math.abs(totalOf(hers) - 130)).toBeLessThanOrEqual(1)
  expect(Math.abs(totalOf(his) - 150)).toBeLessThanOrEqual(1)
  // Home advantage is the same number of points, so that the first chances are equal.
  expect(hers.games[0]?.home_percentage).toBe(his.games[0]?.home_percentage)
})

it('possessions are counted by the league’s own factor, over forty minutes', async () => {
  const hers = await leagueNamed('Women’s College Basketball')
  const row = await database.db
    .selectFrom('statistic_ranking')
    .innerJoin('team', 'team.team_id', 'statistic_ranking.team_id')
    .select('line')
    .where('team.name', '=', 'Ants')
    .where('current', '=', 1)
    .where('organization_id', '=', hers.organization_id)
    .executeTakeFirstOrThrow()
  const line = JSON.parse(row.line) as Record<string, number>
  // 60 − 10 + 15 + 0.475 × 20, and 58 − 8 + 12 + 0.475 × 16; in 200 minutes of five players
  expect([line['possessions'], line['opponent_possessions']]).toEqual([74.5, 69.6])
  expect(line['pace']).toBeCloseTo((74.5 + 69.6) / 2, 1)
})
