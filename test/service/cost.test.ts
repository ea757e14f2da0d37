import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../src/specification/operation.ts'
import { operations } from '../../src/specification/operations.ts'
import type { TableName } from '../../src/specification/tables.ts'
import { plans } from '../../src/service/keys/plans.ts'
import { searching } from '../../src/service/operations/search.ts'
import { matching } from '../../src/service/operations/selection.ts'
import { sportsOf } from '../../src/service/operations/sports.ts'
import { conditionsOf, rowsTemplate } from '../../src/service/operations/template.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import type { Database } from '../../src/service/store/database.ts'
import { jsonSqlOf } from '../../src/service/store/json-sql.ts'
import { analyze } from '../../src/service/store/planner.ts'
import { columnsOf } from '../../src/service/store/schema.ts'
import { id, league, put } from './league.ts'

let database: Database

beforeAll(async () => {
  database = await openDatabase(':memory:')
})
afterAll(() => database.close())

const place = ['organization_id', 'division_id']

/** The filters that the specification documents (§4), by table. */
const documented: [TableName, string[]][] = [
  ['organization', ['organization_id']],
  ['game', ['game_id']],
  ['game', [...place, 'start_date']],
  ['game', [...place, 'season', 'home_team_id']],
  ['game', [...place, 'season', 'away_team_id']],
  ['game', ['season', 'home_team_id']],
  ['team', ['team_id']],
  ['player', ['player_id']],
  ['prediction', ['game_id', 'current']],
  ['odds', ['game_id']],
  ['odds', ['odds_id']],
  ['elo', [...place, 'season', 'current']],
  ['elo', ['team_id', 'season', 'current']],
  ['elo', ['team_id']],
  ['player_team_season', ['player_id']],
  ['cbb_transfer_player_season', ['season']],
  ['cbb_transfer_player_season', ['player_id']],
  ['boxscore', ['organization_id', 'game_id', 'team_id']],
  ['boxscore', ['organization_id', 'team_id', 'season']],
  ['boxscore', ['organization_id']],
  ['player_boxscore', ['game_id', 'team_id']],
  ['player_boxscore', [...place, 'player_id', 'season']],
  ['statistic_ranking', [...place, 'team_id', 'season', 'current']],
  ['statistic_ranking', [...place, 'season', 'date_of_rank']],
  ['player_statistic_ranking', [...place, 'player_id', 'season', 'current', 'career']],
  ['player_statistic_ranking', ['organization_id', 'player_id', 'career', 'career_active']],
  ['coach_statistic_ranking', ['organization_id', 'coach_id', 'season', 'current']],
  ['conference_statistic_ranking', ['organization_id', 'conference_id', 'season', 'date_of_rank']],
  ['league_statistic_ranking', [...place, 'season', 'current']],
]

/**
 * The filters of Statline's own calls, by table: the keys of a batch, and what an operation's expected rows are told
 * by, within a league if it takes one.
 */
const called = Object.values<Operation>(operations).flatMap((operation) => {
  const { yields: table, batch, rows = {}, arguments: given } = operation
  if (table === 'search') return []
  const within = place.filter((column) => given.includes(column))
  const lists = Object.keys(rows).map((names) => [...within, ...names.split(' ').filter(Boolean)])
  const columns = columnsOf(table)
  return [...(batch === undefined ? [] : [[batch]]), ...lists]
    .filter((list) => list.length > 0 && list.every((column) => column in columns))
    .map((list): [TableName, string[]] => [table, list])
})

const filters = [...new Map([...documented, ...called].map((each) => [String(each), each])).values()]

const sample = (column: string): string | number => {
  if (column.endsWith('_id')) return id('x')
  if (column === 'season') return 2026
  return column.startsWith('c') ? 1 : '2026-01-10T00:00:00.000Z'
}

/** How the database goes about a query, step by step. */
async function planOf(table: TableName, columns: readonly string[]): Promise<string[]> {
  const query = matching(database, table, new Map(columns.map((column) => [column, [sample(column)]])))
  const plan = await sql<{ detail: string }>`explain query plan select * from ${query}`.execute(database.db)
  return plan.rows.map((step) => step.detail)
}

test.each(filters)(
  '%s by %s is found by an index, never by going through the table',
  async (table, columns) => {
    const steps = await planOf(table, columns)
    expect(steps.some((step) => step.startsWith(`SEARCH ${table} USING`))).toBe(true)
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([])
  },
)

test.each(filters)('%s by %s is found by an index where the database writes the answer', (table, columns) => {
  const { direct } = database
  if (direct.dialect !== 'sqlite') throw new Error('The database is embedded.')
  const template = rowsTemplate(table)
  const given = new Map(columns.map((column) => [column, [sample(column)]]))
  const { text, values } = conditionsOf(template, given)
  const explain = direct.league.prepare(`explain query plan ${template.sql(jsonSqlOf('sqlite'), text)}`)
  const steps = explain.all([...values]).map((step) => (step as { detail: string }).detail) // a step of a plan
  expect(steps.some((step) => step.startsWith('SEARCH found USING'))).toBe(true)
  // What is read whole is the answer's own list of entries.
  expect(steps.filter((step) => step.startsWith('SCAN') && step !== 'SCAN entries')).toEqual([])
})

test('one team’s rows are found by the team, not by going through its division', async () => {
  await put(database, 'statistic_ranking', seasonOf('statistic_ranking_id', { current: 0 }))
  await put(database, 'game', seasonOf('game_id', {}))
  await put(database, 'elo', seasonOf('elo_id', { current: 0 }))
  await analyze(database)
  const row = [...place, 'season', 'team_id', 'current', 'date_of_rank']
  expect(await planOf('statistic_ranking', row)).toEqual([expect.stringContaining('(team_id=? AND season=?')])
  expect(await planOf('statistic_ranking', [...place, 'season', 'team_id', 'date_of_rank'])).toEqual([
    expect.stringContaining('(team_id=? AND season=?'),
  ])
  expect(await planOf('game', [...place, 'season', 'home_team_id'])).toEqual([
    expect.stringContaining('(home_team_id=? AND season=?)'),
  ])
  expect(await planOf('elo', [...place, 'season', 'team_id', 'current'])).toEqual([
    expect.stringContaining('(team_id=? AND season=?'),
  ])
})

/** A season of a division: forty teams, forty days. */
const seasonOf = (key: string, more: object) =>
  Array.from({ length: 1_600 }, (_, nth) => {
    const team = id(`team ${nth % 40}`)
    const day = new Date(Date.UTC(2026, 0, Math.floor(nth / 40))).toISOString()
    const subject =
      key === 'game_id' ? { home_team_id: team, away_team_id: team, start_date: day } : { team_id: team }
    const ranked = key === 'statistic_ranking_id' ? { date_of_rank: day } : {}
    return { [key]: `${nth}`, ...league, ...subject, ...ranked, ...more }
  })

const readOdds = async () => {
  const rows = await matching(database, 'odds', new Map([['game_id', [id('game 7')]]])).execute()
  expect(rows).toHaveLength(10)
}

/** The median of 200 times, in milliseconds. */
async function measure(work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let nth = 0; nth < 200; nth++) {
    const begun = performance.now()
    await work()
    times.push(performance.now() - begun)
  }
  return times.toSorted((one, other) => one - other)[100] ?? 0
}

const linesOf = (from: number, to: number) =>
  Array.from({ length: (to - from) * 10 }, (_, nth) => {
    const game = `game ${from + Math.floor(nth / 10)}`
    return { odds_id: id(`${game} ${nth % 10}`), game_id: id(game) }
  })

test('the odds of a game take as long among 50,000 rows as among 1,000', async () => {
  await put(database, 'odds', linesOf(0, 100))
  const few = await measure(readOdds)
  await put(database, 'odds', linesOf(100, 5_000))
  expect(await measure(readOdds)).toBeLessThan(few * 3)
})

const find = async () => {
  const context = { db: database.db, writer: database.db, sports: sportsOf(database.db), plan: plans.paid }
  const given = new Map([['name', ['quetzal']], ...place.map((name) => [name, [id(name)]] as const)])
  expect(await searching['search']?.answer(context, given)).toMatch(/"players":\[\{.*Quetzalcoatl/)
}

const players = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, nth) => ({
    player_id: id(`player ${from + nth}`),
    first_name: ['Ann', 'Bob', 'Cid', 'Dot', 'Eve'][nth % 5],
    last_name: `Number${from + nth}`,
  }))

test('a rare name is found as fast among 10,000 players as among 300', async () => {
  const member = {
    team_id: id('Finders'),
    organization_id: id('organization_id'),
    division_id: id('division_id'),
  }
  await database.db
    .insertInto('membership')
    .values({ ...member, season: 2026, conference_id: null })
    .execute()
  await put(database, 'player', [{ player_id: id('rare'), first_name: 'Kukul', last_name: 'Quetzalcoatl' }])
  const season = {
    player_team_season_id: id('rare'),
    player_id: id('rare'),
    team_id: id('Finders'),
    season: 2026,
  }
  await put(database, 'player_team_season', [season])
  await put(database, 'player', players(0, 300))
  const few = await measure(find)
  await put(database, 'player', players(300, 10_000))
  expect(await measure(find)).toBeLessThan(few * 4)
})
