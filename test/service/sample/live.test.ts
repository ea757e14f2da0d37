import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { publish } from '../../../src/service/league/publish.ts'
import {
  createSampleLeague,
  openSampleLeague,
  sampleLeagues,
  storedLeagues,
} from '../../../src/service/sample/create.ts'
import { dayOf, midnight, timestampOf } from '../../../src/service/sample/calendar.ts'
import { factsOf } from '../../../src/service/sample/facts.ts'
import { endOf, stateAt } from '../../../src/service/sample/game-rows.ts'
import { sampleBasketball, sampleRetired } from '../../../src/service/sample/ids.ts'
import { timelineOf } from '../../../src/service/sample/league.ts'
import { liveLeague } from '../../../src/service/sample/live.ts'
import { isPostgres, openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { sampleNow } from '../../sample.setup.ts'
import { describeOnBoth } from '../databases.ts'
import { patience } from '../../patience.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const later = sampleNow + DAY
const folders = mkdtempSync(join(tmpdir(), 'sample-'))
const origin = inject('sampleOrigin')

afterAll(() => rmSync(folders, { recursive: true, force: true }))

let copies = 0
/** The content of a league that has lived through a day in one step, made once. */
let lived: Promise<Content> | undefined
const afterOneDay = () => (lived ??= liveThroughDay())

/** A copy of the league as it was created. */
async function created(): Promise<Database> {
  const folder = join(folders, String(++copies))
  cpSync(origin, folder, { recursive: true })
  const database = await openDatabase(folder)
  onTestFinished(() => database.close())
  return database
}

/** A league whose clock the test sets. */
function stepped(database: Database, now = sampleNow) {
  const live = liveLeague(database, () => now, { every: 0 })
  return {
    at: (moment: number) => {
      now = moment
      return live.advance()
    },
  }
}

const ofGames = ['game', 'boxscore', 'player_boxscore', 'elo'] as const
const eve = timestampOf(midnight(dayOf(sampleNow) - 1))

/** The content of all tables that change, from the day before the league was created. */
async function contentOf({ db }: Database) {
  const recent = db.selectFrom('game').select('game_id').where('start_date', '>=', eve)
  const content: Record<string, string> = {}
  for (const table of ofGames) {
    const rows = db
      .selectFrom(table)
      .selectAll()
      .where('game_id', 'in', recent)
      .orderBy(sql.ref(`${table}_id`))
    content[table] = digest(await rows.execute())
  }
  for (const live of [0, 1]) {
    const odds = db.selectFrom('odds').selectAll().where('game_id', 'in', recent).where('live', '=', live)
    content[live ? 'live odds' : 'odds'] = digest(await odds.orderBy('odds_id').execute())
    const predictions = db
      .selectFrom('prediction')
      .selectAll()
      .where('game_id', 'in', recent)
      .where('live', '=', live)
    // Replaced pre-game predictions are left out: their number depends on how often the league was updated.
    const lasting = predictions.where('current', 'in', live ? [0, 1] : [1])
    content[live ? 'live prediction' : 'prediction'] = digest(
      await lasting.orderBy('prediction_id').execute(),
    )
  }
  for (const table of ['statistic_ranking', 'player_statistic_ranking', 'coach_statistic_ranking'] as const) {
    const ranking = db.selectFrom(table).selectAll().where('date_of_rank', '>=', eve).where('current', '=', 1)
    content[table] = digest(await ranking.orderBy(sql.ref(`${table}_id`)).execute())
  }
  return content
}

type Content = Awaited<ReturnType<typeof contentOf>>

async function liveThroughDay(): Promise<Content> {
  const database = await created()
  await stepped(database).at(later)
  return contentOf(database)
}

const digest = (rows: readonly unknown[]) => createHash('sha256').update(JSON.stringify(rows)).digest('hex')

const rowOf = ({ db }: Database, id: string) =>
  db.selectFrom('game').selectAll().where('game_id', '=', id).executeTakeFirstOrThrow()

/** The next game of basketball that begins after the league was created. */
function nextGame() {
  const [league] = sampleLeagues(dayOf(sampleNow))
  const game = league?.games.find(({ fixture }) => fixture.start > sampleNow)
  if (!game) throw new Error('there is no game to come')
  return { game, timeline: timelineOf(game) }
}

const pointsOf = (rows: readonly { line: string }[]) =>
  rows.reduce((sum, { line }) => sum + (JSON.parse(line) as { points: number }).points, 0) // The league writes lines with points.

const gamesOf = (line: string) => (JSON.parse(line) as { games: number }).games // A row of statistics counts its games.

/** Series of a table whose current rows are not exactly the latest one. */
async function misplacedMarks({ db }: Database, table: 'odds' | 'prediction') {
  const rows = await db.selectFrom(table).select(['game_id', 'live', 'current', 'date_of_entry']).execute()
  const series = new Map<string, typeof rows>()
  for (const row of rows) {
    const key = `${row.game_id} ${row.live}`
    series.set(key, [...(series.get(key) ?? []), row])
  }
  return [...series].filter(([, list]) => {
    const latest = list
      .map((row) => row.date_of_entry ?? '')
      .toSorted()
      .at(-1)
    const marked = list.filter((row) => row.current === 1)
    return marked.length !== 1 || marked[0]?.date_of_entry !== latest
  })
}

describe('the sample league', () => {
  test('has an organization and a division that are no longer in use', async () => {
    const { db } = await created()
    const organizations = await db
      .selectFrom('organization')
      .select(['organization_id', 'inactive'])
      .execute()
    expect(organizations.filter((row) => row.inactive === 1)).toEqual([
      { organization_id: sampleRetired.organizationId, inactive: 1 },
    ])
    expect(organizations).toHaveLength(3)
    expect(await db.selectFrom('division').select('division_id').where('inactive', '=', 1).execute()).toEqual(
      [{ division_id: sampleRetired.divisionId }],
    )
  })

  test('is opened as it is while its season lasts, on a later day too', async () => {
    const database = await created()
    const before = await contentOf(database)
    expect(await openSampleLeague(database, () => sampleNow + 10 * DAY)).toBe(false)
    expect(await contentOf(database)).toEqual(before)
  })

  test('does not count as there where its creation was cut short, or where another generation made it', async () => {
    const database = await created()
    expect(await storedLeagues(database)).toHaveLength(2)
    await database.db
      .updateTable('meta')
      .set({ value: `0/${dayOf(sampleNow)}` })
      .execute()
    expect(await storedLeagues(database)).toBeNull()
    await database.db.deleteFrom('meta').execute()
    expect(await storedLeagues(database)).toBeNull()
  })
})

describe('the sample league, as time goes by', () => {
  test('plays a game from start to end: the score never falls, and ends at the timeline’s result', async () => {
    const database = await created()
    const league = stepped(database)
    const { game, timeline } = nextGame()
    const end = endOf(game, timeline)
    const rows = []
    for (let now = game.fixture.start - 5 * MINUTE; now < end + 5 * MINUTE; now += 5 * MINUTE) {
      await league.at(now)
      rows.push(await rowOf(database, game.id))
    }
    expect([...new Set(rows.map((row) => row.status))]).toEqual(['scheduled', 'in_progress', 'final'])
    const points = rows.map((row) => (row.home_score ?? 0) + (row.away_score ?? 0))
    expect(points).toEqual(points.toSorted((one, other) => one - other))
    expect(rows.at(-1)).toEqual(stateAt(game, timeline, end).row)
  })

  test('shows the boxscores so far while a game is under way, final with its end', async () => {
    const database = await created()
    const league = stepped(database)
    const { game, timeline } = nextGame()
    const end = endOf(game, timeline)
    for (let now = game.fixture.start; now <= end; now += (end - game.fixture.start) / 6) {
      await league.at(now)
      const { home_score, away_score, home_team_id } = await rowOf(database, game.id)
      const teams = await database.db
        .selectFrom('boxscore')
        .selectAll()
        .where('game_id', '=', game.id)
        .execute()
      const players = await database.db
        .selectFrom('player_boxscore')
        .selectAll()
        .where('game_id', '=', game.id)
        .execute()
      const home = <R extends { team_id: string | null }>(rows: readonly R[]) =>
        rows.filter((row) => row.team_id === home_team_id)
      expect([pointsOf(home(teams)), pointsOf(teams)]).toEqual([
        home_score,
        (home_score ?? 0) + (away_score ?? 0),
      ])
      expect([pointsOf(home(players)), pointsOf(players)]).toEqual([
        home_score,
        (home_score ?? 0) + (away_score ?? 0),
      ])
      expect(new Set([...teams, ...players].map((row) => row.final))).toEqual(new Set([now >= end ? 1 : 0]))
    }
  })

  test('moves the lines and the chances of a game, and marks the last of each series', async () => {
    const database = await created()
    const league = stepped(database)
    const { game } = nextGame()
    const live = async (now: number) => {
      await league.at(now)
      expect(await misplacedMarks(database, 'odds')).toEqual([])
      expect(await misplacedMarks(database, 'prediction')).toEqual([])
      const of = (table: 'odds' | 'prediction') =>
        database.db
          .selectFrom(table)
          .select('date_of_entry')
          .where('game_id', '=', game.id)
          .where('live', '=', 1)
          .execute()
      return [(await of('odds')).length, (await of('prediction')).length]
    }
    expect(await live(game.fixture.start)).toEqual([0, 0])
    expect(await live(game.fixture.start + 30 * MINUTE)).toEqual([7, 7])
    expect(await live(game.fixture.start + 90 * MINUTE)).toEqual([22, 22])
    expect(await live(game.fixture.start + 5 * HOUR)).toEqual([32, 32])
  })

  test('writes nothing more at the same time', async () => {
    const database = await created()
    const league = stepped(database)
    await league.at(sampleNow + 3 * HOUR)
    const before = await contentOf(database)
    await league.at(sampleNow + 3 * HOUR)
    await stepped(database).at(sampleNow + 3 * HOUR)
    expect(await contentOf(database)).toEqual(before)
  })

  test('comes to the same after a day in one step, and in many by processes that each begin anew', async () => {
    const often = await created()
    for (let now = sampleNow; now <= later; now += 6 * HOUR) await stepped(often).at(now)
    expect(await contentOf(often)).toEqual(await afterOneDay())
    const { finals } = await often.db
      .selectFrom('game')
      .select((e) => e.fn.countAll<number>().as('finals'))
      .where('status', '=', 'final')
      .where('start_datetime', '>=', timestampOf(sampleNow))
      .executeTakeFirstOrThrow()
    // Two games of basketball and one of football that evening, and two by the next day's afternoon.
    expect(finals).toBe(5)
  })

  test('comes to what publishing everything anew would make', async () => {
    const anew = await created()
    for (const league of sampleLeagues(dayOf(sampleNow)))
      await publish(anew, factsOf(league, later), { source: 'sample' })
    await stepped(anew, later).at(later)
    // A published league keeps the live lines of the last days only, and no live predictions.
    const lasting = { 'live odds': expect.anything(), 'live prediction': expect.anything() }
    expect(await afterOneDay()).toEqual({ ...(await contentOf(anew)), ...lasting })
  })

  test('rates both teams when a game ends, counts it in the day’s statistics, and moves the marks', async () => {
    const database = await created()
    const { game, timeline } = nextGame()
    const { team_id } = game.teams.home
    const standing = async () => {
      const elo = await database.db
        .selectFrom('elo')
        .select(['game_id', 'current'])
        .where('team_id', '=', team_id)
        .where('season', '=', game.season)
        .execute()
      const days = await database.db
        .selectFrom('statistic_ranking')
        .select(['date_of_rank', 'line', 'current'])
        .where('team_id', '=', team_id)
        .where('season', '=', game.season)
        .where('current', '=', 1)
        .execute()
      return { elo, days: days.map(({ date_of_rank, line }) => ({ date_of_rank, games: gamesOf(line) })) }
    }
    await stepped(database).at(endOf(game, timeline) - 1_000)
    const before = await standing()
    await stepped(database).at(endOf(game, timeline))
    const after = await standing()
    expect(before.elo.some((row) => row.game_id === game.id)).toBe(false)
    expect(after.elo).toHaveLength(before.elo.length + 1)
    expect(after.elo.filter((row) => row.current === 1)).toEqual([{ game_id: game.id, current: 1 }])
    expect(after.days).toEqual([
      { date_of_rank: timestampOf(midnight(game.fixture.day)), games: (before.days[0]?.games ?? 0) + 1 },
    ])
  })

  test('lets others read while a game comes to its end, as it stood before', async () => {
    const database = await created()
    const { game, timeline } = nextGame()
    const statusOf = async () =>
      (
        await database.reader
          .selectFrom('game')
          .select('status')
          .where('game_id', '=', game.id)
          .executeTakeFirstOrThrow()
      ).status
    await stepped(database).at(endOf(game, timeline) - 1_000)
    const seen: (string | null)[] = []
    const step = { done: false }
    const ending = stepped(database)
      .at(endOf(game, timeline))
      .finally(() => (step.done = true))
    while (!step.done) {
      seen.push(await statusOf())
      await nextTurn()
    }
    await ending
    expect(seen.filter((status) => status === 'in_progress').length).toBeGreaterThan(5)
    expect(await statusOf()).toBe('final')
  })

  test('leaves the database as it was where a step fails in the middle, and makes up for it with the next', async () => {
    const [broken, whole] = [await created(), await created()]
    const before = await contentOf(broken)
    await sql`create trigger fault before insert on player_boxscore begin select raise(abort, 'disk on fire'); end`.execute(
      broken.db,
    )
    const league = stepped(broken)
    await expect(league.at(sampleNow + 4 * HOUR)).rejects.toThrow('disk on fire')
    expect(await contentOf(broken)).toEqual(before)
    await sql`drop trigger fault`.execute(broken.db)
    await league.at(sampleNow + 4 * HOUR)
    await stepped(whole).at(sampleNow + 4 * HOUR)
    expect(await contentOf(broken)).toEqual(await contentOf(whole))
  })

  test('fails with a clear error where the database is closed in the middle of a step', async () => {
    const database = await created()
    const failed = expect(stepped(database).at(sampleNow + 40 * DAY)).rejects.toThrow(
      'The database is closed.',
    )
    await nextTurn()
    await database.close()
    await failed
  })

  test('begins anew around the clock’s day when its season has run out', async () => {
    const database = await created()
    const afterwards = sampleNow + 40 * DAY
    const league = stepped(database)
    await league.at(afterwards)
    await league.at(afterwards)
    const today = await database.db
      .selectFrom('game')
      .select(['status'])
      .where('organization_id', '=', sampleBasketball.organizationId)
      .where('start_date', '=', timestampOf(midnight(dayOf(afterwards))))
      .execute()
    expect(new Set(today.map((row) => row.status))).toEqual(new Set(['scheduled', 'in_progress', 'final']))
    expect(await openSampleLeague(database, () => afterwards)).toBe(false)
  })

  test('is moved by a timer, which outlives a failure and ends when it is stopped', async () => {
    const database = await created()
    const { game } = nextGame()
    let now = sampleNow
    const errors: unknown[] = []
    const live = liveLeague(database, clock, { every: 5, onError: (error) => errors.push(error) })
    function clock() {
      if (now < sampleNow) throw new Error('the clock has stopped')
      return now
    }
    now = 0
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(1), patience)
    now = game.fixture.start + HOUR
    await vi.waitFor(
      async () => expect((await rowOf(database, game.id)).status).toBe('in_progress'),
      patience,
    )
    await live.stop()
    now = game.fixture.start + 5 * HOUR
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await rowOf(database, game.id)).status).toBe('in_progress')
  })
})

describeOnBoth('a living sample league', (provide) => {
  test('is moved on by two processes, and nothing is lost or written twice', async () => {
    const provided = await provide()
    const shared = isPostgres(provided.location)
    if (!shared) cpSync(origin, provided.location, { recursive: true })
    const [one, other] = [await openDatabase(provided.location), await openDatabase(provided.location)]
    if (shared) await createSampleLeague(one, () => sampleNow)
    for (const now of [sampleNow, sampleNow + 3 * HOUR, sampleNow + 12 * HOUR]) {
      const first = stepped(one).at(now)
      // Within one process an embedded database cannot wait for itself.
      if (!shared) await first
      await Promise.all([first, stepped(other).at(now)])
    }
    expect(await misplacedMarks(one, 'odds')).toEqual([])
    expect(await misplacedMarks(one, 'prediction')).toEqual([])
    const { game, timeline } = nextGame()
    expect(await rowOf(other, game.id)).toEqual(stateAt(game, timeline, sampleNow + 12 * HOUR).row)
    await one.close()
    await other.close()
    await provided.dispose()
  })
})
