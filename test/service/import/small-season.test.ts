import { afterEach, describe, expect, it } from 'vitest'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { importCfbfastr } from '../../../src/service/import/football.ts'
import { ImportFailed } from '../../../src/service/import/faults.ts'
import { importNcaaHoops } from '../../../src/service/import/basketball.ts'
import { summaryLines } from '../../../src/service/import/summary.ts'
import { rankDay } from '../../../src/service/league/rank-day.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { tableNames } from '../../../src/specification/tables.ts'
import type { Schema } from '../../../src/service/store/schema.ts'
import { folderOf, smallCfb, smallNcaa } from './small-source.ts'
import type { SourceFolder } from './small-source.ts'

const opened: Database[] = []
const folders: SourceFolder[] = []

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  for (const folder of folders.splice(0)) folder.remove()
})

async function emptyDatabase(): Promise<Database> {
  const database = await openDatabase(':memory:')
  opened.push(database)
  return database
}

function folder(files: Readonly<Record<string, string | Uint8Array>>, zipped = true): string {
  const made = folderOf(files, zipped)
  folders.push(made)
  return made.path
}

async function contents(database: Database): Promise<string> {
  const tables: (keyof Schema)[] = [...tableNames, 'membership', 'coach_season', 'league']
  const found: unknown[] = []
  for (const table of tables) {
    const rows = await database.db.selectFrom(table).selectAll().execute()
    found.push([table, rows.map((row) => JSON.stringify(row)).toSorted()])
  }
  return JSON.stringify(found)
}

const silent = () => {}

const without = (name: string) =>
  Object.fromEntries(Object.entries(smallNcaa).filter(([file]) => file !== name))

describe('an import of basketball', () => {
  it('fills and computes every table, and says so', async () => {
    const database = await emptyDatabase()
    const summary = await importNcaaHoops(database, folder(smallNcaa), silent)
    expect(summary.rows).toMatchObject({ team: 4, membership: 3, game: 3, boxscore: 6, elo: 5, player: 2 })
    expect(summary.read.map(({ file, rows }) => [file, rows])).toEqual([
      ['schedule.csv.gz', 3],
      ['team_box.csv.gz', 6],
      ['team_ids.csv.gz', 3],
      ['team_rosters.csv.gz', 2],
    ])
    const text = summaryLines(summary).join('\n')
    expect(text).toContain(
      '1  games with home and away score swapped in the schedule: put right from the boxscore',
    )
    expect(text).toContain('1  games whose boxscore and schedule differ otherwise')
    expect(text).toContain('3  teams of the division without colours')
  })

  it('believes the box where the scores are swapped, and the schedule where the box lacks a play', async () => {
    const database = await emptyDatabase()
    await importNcaaHoops(database, folder(smallNcaa), silent)
    const games = await database.db
      .selectFrom('game')
      .select(['guid', 'home_score', 'away_score', 'is_conf_game', 'start_datetime'])
      .orderBy('guid')
      .execute()
    expect(games.map((game) => [game.home_score, game.away_score, game.is_conf_game])).toEqual([
      [70, 60, 1],
      [90, 50, 0],
      [80, 76, 0],
    ])
    expect(games.every((game) => game.start_datetime === null)).toBe(true)
  })

  it('keeps commas, further names and unknown cells of a roster', async () => {
    const database = await emptyDatabase()
    await importNcaaHoops(database, folder(smallNcaa), silent)
    const players = await database.db.selectFrom('player').selectAll().orderBy('guid').execute()
    expect(players[0]).toMatchObject({ first_name: 'Ann', last_name: 'Three Names', hometown: 'Humble, TX' })
    expect(players[1]).toMatchObject({ position: null, hometown: null, number: '5' })
  })

  it('knows of players what the roster counts: their games', async () => {
    const database = await emptyDatabase()
    await importNcaaHoops(database, folder(smallNcaa), silent)
    const rows = await database.db.selectFrom('player_statistic_ranking').select('line').execute()
    const lines = rows.map((row) => JSON.parse(row.line) as Record<string, number | null>)
    expect(lines.map((line) => line['games']).toSorted()).toEqual([1, 2])
    expect(lines.map((line) => line['points_per_game'])).toEqual([null, null])
  })

  it('claims nothing of a player on an earlier day, of which the roster says nothing', async () => {
    const database = await emptyDatabase()
    const summary = await importNcaaHoops(database, folder(smallNcaa), silent)
    const before = await database.db.selectFrom('player_statistic_ranking').selectAll().execute()
    await rankDay(database.db, 'player_statistic_ranking', { ...summary, season: 2026 }, '2025-11-03')
    expect(await database.db.selectFrom('player_statistic_ranking').selectAll().execute()).toEqual(before)
  })

  it('is the same from plain files as from zipped ones', async () => {
    const [zipped, plain] = [await emptyDatabase(), await emptyDatabase()]
    await importNcaaHoops(zipped, folder(smallNcaa), silent)
    await importNcaaHoops(plain, folder(smallNcaa, false), silent)
    for (const table of ['game', 'boxscore', 'statistic_ranking', 'elo'] as const) {
      const rows = (database: Database) => database.db.selectFrom(table).selectAll().execute()
      expect(await rows(plain)).toEqual(await rows(zipped))
    }
  })

  it('changes nothing the second time', async () => {
    const database = await emptyDatabase()
    const path = folder(smallNcaa)
    await importNcaaHoops(database, path, silent)
    const before = await contents(database)
    await importNcaaHoops(database, path, silent)
    expect(await contents(database)).toBe(before)
  })

  it('tells how far it is, phase by phase, to the end of each', async () => {
    const seen = new Map<string, [number, number]>()
    const progress = (phase: string, done: number, total: number) => void seen.set(phase, [done, total])
    await importNcaaHoops(await emptyDatabase(), folder(smallNcaa), progress)
    expect([...seen.keys()]).toEqual([
      'reading schedule.csv.gz',
      'reading team_box.csv.gz',
      'reading team_ids.csv.gz',
      'reading team_rosters.csv.gz',
      'facts',
      'ratings of 2026',
      'statistics of 2026',
      'people and averages of 2026',
    ])
    for (const [done, total] of seen.values()) expect(done).toBe(total)
  })
})

describe('an import of football', () => {
  it('fills a team’s boxscore from its players’ rows, and leaves missing columns null', async () => {
    const database = await emptyDatabase()
    await importCfbfastr(database, folder(smallCfb), silent)
    const rows = await database.db
      .selectFrom('boxscore')
      .innerJoin('team', 'team.team_id', 'boxscore.team_id')
      .select(['char6', 'line'])
      .orderBy('char6')
      .execute()
    const [ants, bees] = rows.map((row) => JSON.parse(row.line) as Record<string, number | null>)
    expect(ants).toMatchObject({
      points: 17,
      passing_touchdowns: 2,
      passing_long: 44,
      rushing_long: 9,
      punts: 0,
      punt_average: null,
      solo_tackles: null,
      field_goals_attempted: 1,
      field_goals_longest_made: null,
      extra_points_made: 2,
      time_of_possession_seconds: 1865,
      minutes_played: null,
    })
    expect(bees).toMatchObject({
      points: 20,
      passing_completions: 18,
      passing_attempts: 30,
      receptions: null,
    })
  })

  it('merges a player’s categories, and makes no player of the team itself', async () => {
    const database = await emptyDatabase()
    await importCfbfastr(database, folder(smallCfb), silent)
    const boxes = await database.db.selectFrom('player_boxscore').select(['last_name', 'line']).execute()
    expect(boxes.map((box) => box.last_name).toSorted()).toEqual(['Arm', 'Catch', 'Kick'])
    const arm = boxes.find((box) => box.last_name === 'Arm')
    expect(JSON.parse(arm?.line ?? '')).toMatchObject({
      passing_yards: 180,
      rushing_yards: 10,
      receptions: null,
    })
  })

  it('keeps a night game on its American day, and a game to come without a score', async () => {
    const database = await emptyDatabase()
    await importCfbfastr(database, folder(smallCfb), silent)
    const games = await database.db.selectFrom('game').selectAll().orderBy('guid').execute()
    expect(games[0]).toMatchObject({
      start_date: '2025-09-06T00:00:00.000Z',
      attendance: null,
      status: 'final',
    })
    expect(games[1]).toMatchObject({ status: 'scheduled', home_score: null, neutral_site: 1, boxscore: 0 })
    const predictions = await database.db.selectFrom('prediction').selectAll().execute()
    expect(predictions).toHaveLength(2)
  })

  it('leaves a filler line out', async () => {
    const database = await emptyDatabase()
    await importCfbfastr(database, folder(smallCfb), silent)
    const odds = await database.db.selectFrom('odds').selectAll().execute()
    expect(odds).toHaveLength(1)
    expect(odds[0]).toMatchObject({ spread_home: -3.5, spread_away: 3.5, over: 44.5, under: 44.5 })
  })

  it('stands beside a season of another sport', async () => {
    const database = await emptyDatabase()
    await importNcaaHoops(database, folder(smallNcaa), silent)
    await importCfbfastr(database, folder(smallCfb), silent)
    await importNcaaHoops(database, folder(smallNcaa), silent)
    const leagues = await database.db.selectFrom('league').select('source').orderBy('source').execute()
    expect(leagues.map((league) => league.source)).toEqual(['cfbfastr', 'ncaa-hoops'])
    expect(await database.db.selectFrom('team').selectAll().execute()).toHaveLength(6)
  })
})

describe('a source that cannot be imported', () => {
  const zipped = gzipSync(smallNcaa['team_box'] ?? '')
  const cases: [string, Readonly<Record<string, string | Uint8Array>>, RegExp][] = [
    [
      'lacks its schedule',
      without('schedule'),
      /has none of schedule\.csv, schedule\.csv\.gz, schedule\.parquet$/,
    ],
    [
      'is cut off inside its zip',
      { ...smallNcaa, team_box: zipped.subarray(0, zipped.length - 30) },
      /^team_box\.csv\.gz is cut off or damaged/,
    ],
    [
      'is damaged inside its zip',
      {
        ...smallNcaa,
        team_box: Buffer.concat([zipped.subarray(0, 40), Buffer.alloc(60), zipped.subarray(100)]),
      },
      /^team_box\.csv\.gz is cut off or damaged/,
    ],
    [
      'ends in the middle of a row',
      { ...smallNcaa, team_box: Buffer.from((smallNcaa['team_box'] ?? '').slice(0, -40)) },
      /^team_box\.csv\.gz row 6 has 6 cells, and the header \d+$/,
    ],
    [
      'lacks a column',
      { ...smallNcaa, schedule: (smallNcaa['schedule'] ?? '').replace('home_score', 'score') },
      /^schedule\.csv\.gz is not what it should be: it has no column home_score$/,
    ],
    [
      'is a picture',
      { ...smallNcaa, schedule: Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 1]) },
      /^schedule/,
    ],
    ['is empty', { ...smallNcaa, schedule: '' }, /^schedule\.csv\.gz is empty$/],
    [
      'has a header alone',
      { ...smallNcaa, schedule: (smallNcaa['schedule'] ?? '').split('\n')[0] ?? '' },
      /no games/,
    ],
    [
      'has a word for a number',
      { ...smallNcaa, schedule: (smallNcaa['schedule'] ?? '').replace('90,50', 'ninety,50') },
      /^schedule\.csv\.gz row 2: home_score is not a number: "ninety"$/,
    ],
    ['is football', smallCfb, /^schedule\.csv\.gz is not what it should be/],
  ]

  it.each(cases)('%s: one line, and the database as it was', async (_name, files, message) => {
    const database = await emptyDatabase()
    await importNcaaHoops(database, folder(smallNcaa), silent)
    const before = await contents(database)
    const failure: unknown = await importNcaaHoops(database, folder(files), silent).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(ImportFailed)
    const line = (failure as ImportFailed).message // by the line above
    expect(line).toMatch(message)
    expect(line).not.toContain('\n')
    expect(await contents(database)).toBe(before)
  })

  it('is a folder where a file should be', async () => {
    const path = folder(without('schedule'))
    mkdirSync(join(path, 'schedule.csv'))
    await expect(importNcaaHoops(await emptyDatabase(), path, silent)).rejects.toThrow(
      /has none of schedule\.csv, schedule\.csv\.gz, schedule\.parquet$/,
    )
  })

  it('is a folder that does not exist', async () => {
    const nowhere = join(folder({}), 'nowhere')
    await expect(importNcaaHoops(await emptyDatabase(), nowhere, silent)).rejects.toThrow(
      `There is no folder ${nowhere}`,
    )
  })

  it('has a pair that is none', async () => {
    const database = await emptyDatabase()
    const pair = { ...smallCfb, team_box: (smallCfb['team_box'] ?? '').replace('15/25', '15 of 25') }
    await expect(importCfbfastr(database, folder(pair), silent)).rejects.toThrow(
      /row 1: completionAttempts is not a pair of numbers: "15 of 25"/,
    )
  })
})
