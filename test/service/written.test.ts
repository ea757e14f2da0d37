import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { keyOf, tableNames } from '../../src/specification/tables.ts'
import type { TableName } from '../../src/specification/tables.ts'
import { meterOf } from '../../src/service/answer.ts'
import { addKey } from '../../src/service/keys/keys.ts'
import type { Account } from '../../src/service/keys/keys.ts'
import { plans } from '../../src/service/keys/plans.ts'
import { readArguments } from '../../src/service/operations/arguments.ts'
import { classes, operationOf } from '../../src/service/operations/registry.ts'
import { sportsOf } from '../../src/service/operations/sports.ts'
import { conditionsOf } from '../../src/service/operations/template.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import type { Database } from '../../src/service/store/database.ts'

import { describeOnBoth } from './databases.ts'
import type { Provided } from './databases.ts'
import { fillLeague, id, league, put } from './league.ts'

/** Both ways to an answer: written by the database, and made of rows here. */
async function waysOf(database: Database) {
  const { id: keyId } = await addKey(database.accounts, Date.now, 'paid')
  const account: Account = { id: keyId, plan: plans.paid }
  const meter = meterOf(database, Date.now)
  const context = {
    db: database.reader,
    writer: database.db,
    sports: sportsOf(database.reader),
    plan: plans.paid,
  }
  return async (name: string, given: Readonly<Record<string, unknown>>) => {
    const [className = '', functionName = ''] = name.split('/')
    const operation = operationOf(className, functionName)
    const raw = Object.entries(given).map(
      ([key, value]) => [key, Array.isArray(value) ? value : [value]] as const,
    )
    const read = readArguments(operation, new Map(raw))
    const query = operation.written?.(read)
    const sold =
      query && (await meter.sell(account, query.template, conditionsOf(query.template, query.filters)))
    return { written: sold?.text, made: await operation.answer(context, read) }
  }
}

type Ways = Awaited<ReturnType<typeof waysOf>>

async function expectAlike(
  ways: Ways,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<number> {
  const { written, made } = await ways(name, given)
  expect([name, given, written]).toEqual([name, given, made])
  return made.length
}

const functionsOf = (table: string) => Object.keys(classes[table] ?? {})

/** Difficult names, and numbers that the databases print differently. */
const awkward = {
  names: [
    `Ünï "quoted" \\ back/slash`,
    'tab\tnew\nline\r\b\f',
    '日本語 😀 \u2028 \u007f',
    '<script>&amp;',
    '{}',
    '}',
    '',
  ],
  numbers: [0, 999_999_999_999_999, 1500, -110, 3.5, 0.1, 52.4, 1e-4, 99.999, -7.25, 123456789.5, null],
  unwritable: [1e-5, 0.00009999, 1e21, 1e15, -2.5e-7],
  /** PostgreSQL writes these as JavaScript does, SQLite with fewer digits. */
  long: [0.1 + 0.2, 1 / 3, 0.6180339887498949, 123456789012.34567],
}

describeOnBoth('an answer that the database writes', (provide) => {
  let provided: Provided
  let database: Database
  let ways: Ways

  beforeAll(async () => {
    provided = await provide()
    database = await openDatabase(provided.location)
    await fillLeague(database)
    ways = await waysOf(database)
  })
  afterAll(async () => {
    await database.close()
    await provided.dispose()
  })

  const { organization_id, division_id, season } = league
  const place = { organization_id, division_id }
  const day = { ...place, start_date: '2026-01-10' }

  test('is the text that is made of its rows, for every table and function, without and with filters', async () => {
    let written = 0
    for (const table of tableNames)
      for (const name of functionsOf(table).filter((one) => one === 'get' || one === 'read')) {
        if ('season' in operationOf(table, name).accepts)
          await expectAlike(ways, `${table}/${name}`, { season })
        written += await expectAlike(ways, `${table}/${name}`, {})
        await expectAlike(ways, `${table}/${name}`, { [keyOf(table)]: id('nothing') })
        await expectAlike(ways, `${table}/${name}`, { deleted: [0, 1] })
      }
    expect(written).toBeGreaterThan(10_000)
  })

  test.each([
    ['game/getGames', day],
    ['game/getGames', { ...day, deleted: [0, 1] }],
    ['game/getGames', { ...place, start_date: ['2026-01-10', '2026-01-12'], home_team_id: id('Bears') }],
    ['game/getScores', day],
    ['game/getScores', { ...place, season, home_team_id: [id('Bears'), id('Tigers'), id('Wolves')] }],
    ['game/getOdds', { game_id: [id('opener'), id('second'), id('to come')] }],
    ['game/read', { updated_at: '2026-01-12' }],
    ['game/read', { updated_at: ['2026-01-12', '2026-01-10T21:30:00.000Z'] }],
    ['team/getStats', { ...place, team_id: id('Lions'), season }],
    ['team/getPlayers', { organization_id, team_id: [id('Lions'), id('Tigers')], season: [2025, 2026] }],
    ['player/getGameLogs', { ...place, player_id: id('John Smith'), season }],
    ['player/getSeasons', { player_id: id('John Smith') }],
    ['boxscore/getBoxscore', { organization_id, game_id: id('opener'), team_id: id('Lions') }],
    ['boxscore/readBoxscore', { organization_id, game_id: id('opener') }],
    ['player_boxscore/getPlayerBoxscore', { player_boxscore_id: id('John Smith in opener') }],
    ['player_statistic_ranking/getStats', { organization_id, current: 1, career: 1 }],
    ['statistic_ranking/getStats', { organization_id, current: 1, career: 0 }],
    ['ranking/download', { ...place, season, type: 'team' }],
    ['ranking/download', { ...place, season, type: 'player' }],
  ])('is the text that is made of its rows: %s with %j', async (name, given) => {
    expect(await expectAlike(ways, name, given)).toBeGreaterThan(20)
  })

  test('keeps awkward names, whole numbers and fractions as JSON.stringify writes them', async () => {
    await put(
      database,
      'team',
      awkward.names.map((name, nth) => ({ team_id: `awkward ${nth}`, name, code: name })),
    )
    await put(
      database,
      'odds',
      awkward.numbers.map((number, nth) => ({
        odds_id: `number ${nth}`,
        game_id: 'of numbers',
        spread_home: number,
        over: number,
      })),
    )
    await expectAlike(ways, 'team/read', { team_id: awkward.names.map((_, nth) => `awkward ${nth}`) })
    await expectAlike(ways, 'odds/read', { game_id: 'of numbers' })
  })

  test('keeps the order of teams whose ids look like numbers, and of a team that plays itself', async () => {
    await put(database, 'team', [{ team_id: '20' }, { team_id: '3' }])
    const sides = [
      ['20', '3'],
      ['3', '20'],
      ['3', '3'],
      ['3', 'unknown'],
      [null, '20'],
      [null, null],
    ]
    await put(
      database,
      'game',
      sides.map(([away_team_id, home_team_id], nth) => ({
        game_id: `${9 - nth}`,
        ...place,
        season: 1999,
        start_date: '1999-01-01T00:00:00.000Z',
        away_team_id,
        home_team_id,
      })),
    )
    await expectAlike(ways, 'game/getGames', { ...place, start_date: '1999-01-01' })
  })

  test('takes the latest of several current rows', async () => {
    const of = { game_id: id('second'), current: 1 }
    const at = (nth: number) => `2026-01-1${nth}T00:00:00.000Z`
    await put(database, 'prediction', [
      { prediction_id: 'later', ...of, date_of_entry: at(2), home_percentage: 0.25 },
      { prediction_id: 'earlier', ...of, date_of_entry: at(1), home_percentage: 0.75 },
    ])
    await put(database, 'odds', [
      { odds_id: 'b', ...of, live: 1, date_of_entry: at(3) },
      { odds_id: 'a', ...of, live: 1, date_of_entry: at(3) },
    ])
    await expectAlike(ways, 'game/getScores', day)
    const { made } = await ways('game/getOdds', { game_id: id('second') })
    expect(made).toContain('"odds_id":"b"')
    expect(made).not.toContain('"odds_id":"a"')
  })

  test.each(awkward.long)('never has another number than %d', async (number) => {
    const game = `with ${number}`
    await put(database, 'odds', [{ odds_id: game, game_id: game, spread_home: number }])
    const { written, made } = await ways('odds/read', { game_id: game })
    expect([undefined, made]).toContain(written)
  })

  test.each(awkward.unwritable)(
    'is not used where the database would write %d in its own way',
    async (number) => {
      const game = `with ${number}`
      await put(database, 'odds', [{ odds_id: game, game_id: game, spread_home: number }])
      const { written, made } = await ways('odds/read', { game_id: game })
      expect(written).toBeUndefined()
      expect(made).toContain(`"spread_home":${JSON.stringify(number)}`)
    },
  )
})

describe('answers over the sample league that the database writes', () => {
  let folder: string
  let database: Database

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'statline-'))
    cpSync(inject('sampleOrigin'), folder, { recursive: true })
    database = await openDatabase(folder)
  })
  afterAll(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })

  /** Filters that a given row matches: each foreign key, with the season if there is one. */
  const filtersOf = (table: TableName, row: Readonly<Record<string, unknown>>) =>
    Object.keys(row)
      .filter(
        (column) =>
          column.endsWith('_id') && row[column] !== null && column in operationOf(table, 'read').accepts,
      )
      .filter((column) => column !== 'organization_id' && column !== 'division_id')
      .map((column) => ({ [column]: row[column], ...('season' in row && { season: row['season'] }) }))

  test('are the texts that are made of their rows, by every key of a row of every table', async () => {
    const ways = await waysOf(database)
    let calls = 0
    for (const table of tableNames) {
      const rows = await database.db.selectFrom(table).selectAll().limit(400).execute()
      const some = rows.filter((_, nth) => nth % 40 === 0)
      for (const row of some)
        for (const given of filtersOf(table, row))
          for (const name of ['get', 'read']) {
            await expectAlike(ways, `${table}/${name}`, given)
            calls += 1
          }
    }
    expect(calls).toBeGreaterThan(500)
  })

  test('are the texts that are made of their rows, for the days and teams of both sports', async () => {
    const ways = await waysOf(database)
    const games = await database.db.selectFrom('game').selectAll().orderBy('game_id').execute()
    for (const game of games.filter((_, nth) => nth % 60 === 0)) {
      const { organization_id, division_id, season, home_team_id: team_id } = game
      const place = { organization_id, division_id }
      const start_date = game.start_date?.slice(0, 10)
      for (const name of ['getGames', 'getScores', 'getOdds'])
        await expectAlike(ways, `game/${name}`, { ...place, start_date })
      await expectAlike(ways, 'team/getStats', { ...place, team_id, season })
      await expectAlike(ways, 'team/getPlayers', { organization_id, team_id, season })
      await expectAlike(ways, 'boxscore/readBoxscore', { organization_id, team_id, season })
      const roster = Object.keys(
        JSON.parse((await ways('team/getPlayers', { organization_id, team_id, season })).made) as object,
      )
      for (const player_id of roster.slice(0, 2)) {
        await expectAlike(ways, 'player/getGameLogs', { ...place, player_id, season })
        await expectAlike(ways, 'player/getSeasons', { player_id })
      }
    }
  })
})
