import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Facts } from '../../../src/service/league/facts.ts'
import { publish } from '../../../src/service/league/publish.ts'
import { rankDay } from '../../../src/service/league/rank-day.ts'
import { sampleBasketball } from '../../../src/service/sample/ids.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { smallFacts, smallLeague } from './small-league.ts'

const season = { ...smallLeague, season: 2026 }
const options = { source: 'test' }
const players = 'player_statistic_ranking'

describe('a day that is ranked when it is asked for', () => {
  let database: Database

  beforeEach(async () => {
    database = await openDatabase(':memory:')
  })
  afterEach(() => database.close())

  const rowsOf = (kind: typeof players | 'coach_statistic_ranking', day: string) =>
    database.db
      .selectFrom(kind)
      .select('line')
      .where('season', '=', 2026)
      .where('date_of_rank', '=', `${day}T00:00:00.000Z`)
      .orderBy(`${kind}_id` as 'line') // every table has a key of this name
      .execute()

  it('is not looked at again where nothing came of it, until the league is published anew', async () => {
    const kind = 'coach_statistic_ranking'
    const { db } = database
    await publish(database, { ...smallFacts(), coachSeasons: [] }, options)
    await rankDay(db, kind, season, '2025-11-05')
    await db.insertInto('coach_season').values(smallFacts().coachSeasons).execute()
    await rankDay(db, kind, season, '2025-11-05')
    expect(await rowsOf(kind, '2025-11-05')).toEqual([])
    await publish(database, smallFacts(), options)
    await rankDay(db, kind, season, '2025-11-05')
    expect(await rowsOf(kind, '2025-11-05')).toHaveLength(6)
  })

  it('does not keep others from theirs where it fails', async () => {
    const { db } = database
    await publish(database, smallFacts(), options)
    await sql`create trigger fault before insert on coach_statistic_ranking begin select raise(abort, 'disk on fire'); end`.execute(
      db,
    )
    const days = ['2025-11-05', '2025-11-06', '2025-11-07']
    const failed = rankDay(db, 'coach_statistic_ranking', season, '2025-11-05')
    const ranked = Promise.all(days.map((day) => rankDay(db, players, season, day)))
    await expect(failed).rejects.toThrow('disk on fire')
    await ranked
    for (const day of days) expect(await rowsOf(players, day)).toHaveLength(12)
    await sql`drop trigger fault`.execute(db)
    await rankDay(db, 'coach_statistic_ranking', season, '2025-11-05')
    expect(await rowsOf('coach_statistic_ranking', '2025-11-05')).toHaveLength(6)
  })

  it.each([0, 1, 2, 3, 5, 8])('has the numbers of a league published %i turns later', async (later) => {
    await publish(database, smallFacts(), options)
    const ranking = rankDay(database.db, players, season, '2025-11-05')
    for (let turn = 0; turn < later; turn++) await nextTurn()
    await publish(database, doubled(smallFacts()), options)
    await ranking
    await rankDay(database.db, players, season, '2025-11-05')
    const points = (await rowsOf(players, '2025-11-05')).map(({ line }) => pointsOf(line))
    expect(points).toHaveLength(12)
    expect(points.filter((scored) => scored === 60)).not.toEqual([])
    expect(points.filter((scored) => scored < 60)).toEqual([])
  })
})

/** The small league in which every player has scored twice as much. */
const doubled = (facts: Facts): Facts => ({
  ...facts,
  playerBoxscores: facts.playerBoxscores.map((box) => ({
    ...box,
    line: { ...box.line, points: 2 * (box.line['points'] ?? 0) },
  })),
})

const pointsOf = (line: string) => (JSON.parse(line) as { points_per_game: number }).points_per_game // a player's statistics

describe('the players of a day of the sample league', () => {
  it('are ranked while others have their turn', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'statline-'))
    cpSync(inject('sampleOrigin'), folder, { recursive: true })
    const database = await openDatabase(folder)
    const row = await database.db
      .selectFrom('statistic_ranking')
      .select(['season', 'date_of_rank'])
      .where('organization_id', '=', sampleBasketball.organizationId)
      .where('current', '=', 1)
      .orderBy('season', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const { organizationId: organization_id, divisionId: division_id } = sampleBasketball
    const key = { organization_id, division_id, season: row.season ?? 0 }
    const eve = new Date(Date.parse(row.date_of_rank ?? '') - 86_400_000).toISOString().slice(0, 10)
    const work = { done: false }
    const ranking = rankDay(database.db, players, key, eve)
    void ranking.finally(() => (work.done = true))
    let turns = 0
    for (; !work.done; turns++) await nextTurn()
    await ranking
    expect(turns).toBeGreaterThan(5)
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
