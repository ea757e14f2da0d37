import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StatisticClass } from '../../../src/specification/tables.ts'
import type { Facts } from '../../../src/service/league/facts.ts'
import { insertRows } from '../../../src/service/league/insert.ts'
import { publish } from '../../../src/service/league/publish.ts'
import { rankDay } from '../../../src/service/league/rank-day.ts'
import { statisticClasses, tableNames } from '../../../src/specification/tables.ts'
import { settle } from '../../../src/service/league/settle.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import type { Schema } from '../../../src/service/store/schema.ts'
import { describeOnBoth } from '../databases.ts'
import type { Provided } from '../databases.ts'
import { factsThrough, smallFacts, smallLeague } from './small-league.ts'

const season = { ...smallLeague, season: 2026 }
const options = { source: 'test', fingerprint: 'one' }

async function open(provided: Provided) {
  const database = await openDatabase(provided.location)
  const close = async () => {
    await database.close()
    await provided.dispose()
  }
  return { database, close }
}

const mean = (rows: Record<string, unknown>[]) =>
  rows.reduce((sum, row) => sum + Number(row['points']), 0) / rows.length

async function rowsOf<T extends keyof Schema>(
  database: Database,
  table: T,
): Promise<Record<string, unknown>[]> {
  const rows = await database.db.selectFrom<keyof Schema>(table).selectAll().execute()
  const texts = rows.map((row) => ({ row: { ...row }, text: JSON.stringify(row) }))
  return texts.toSorted((a, b) => (a.text < b.text ? -1 : 1)).map(({ row }) => row)
}

async function contents(database: Database) {
  const tables = [...tableNames, 'membership', 'coach_season', 'league'] as const
  const found = new Map<string, unknown>()
  for (const table of tables) found.set(table, await rowsOf(database, table))
  return found
}

describeOnBoth('a published league', (provide) => {
  let database: Database
  let close: () => Promise<void>

  beforeAll(async () => {
    ;({ database, close } = await open(await provide()))
    await publish(database, smallFacts(), options)
  })
  afterAll(() => close())

  const lines = async (kind: StatisticClass, current = true) => {
    const rows = await rowsOf(database, kind)
    return rows
      .filter((row) => !current || (row['current'] === 1 && row['season'] === 2026 && row['career'] !== 1))
      .map(
        (row) =>
          ({ ...row, ...(JSON.parse(String(row['line'])) as Record<string, number | null>) }) as Record<
            string,
            unknown
          >,
      )
  }

  it('has one current rating of each team and season, the last one', async () => {
    const elo = await rowsOf(database, 'elo')
    expect(elo).toHaveLength(2 * 2 * 30)
    const current = elo.filter((row) => row['current'] === 1)
    expect(current).toHaveLength(2 * 6)
    for (const row of current) {
      const later = elo.filter(
        (other) =>
          other['team_id'] === row['team_id'] &&
          other['season'] === row['season'] &&
          String(other['date_of_entry']) > String(row['date_of_entry']),
      )
      expect(later).toEqual([])
    }
  })

  it('keeps the sum of the ratings, season after season', async () => {
    const elo = await rowsOf(database, 'elo')
    for (const year of [2025, 2026]) {
      const current = elo.filter((row) => row['current'] === 1 && row['season'] === year)
      const sum = current.reduce((total, row) => total + Number(row['elo']), 0)
      // What is carried over is rounded team by team.
      expect(Math.abs(sum - 6 * 1500)).toBeLessThanOrEqual(3)
    }
  })

  it('has one prediction of each game, made before it', async () => {
    const games = await rowsOf(database, 'game')
    const predictions = await rowsOf(database, 'prediction')
    const starts = new Map(games.map((game) => [game['game_id'], String(game['start_datetime'])]))
    expect(predictions).toHaveLength(60)
    expect(new Set(predictions.map((row) => row['game_id'])).size).toBe(60)
    for (const row of predictions)
      expect(String(row['date_of_entry']) < (starts.get(row['game_id']) ?? '')).toBe(true)
  })

  it('has a row of every team for every day, the last one current', async () => {
    const rows = (await rowsOf(database, 'statistic_ranking')).filter((row) => row['season'] === 2026)
    const days = [...new Set(rows.map((row) => String(row['date_of_rank'])))].toSorted()
    expect(days).toHaveLength(19)
    expect(days.at(-1)).toBe('2025-11-21T00:00:00.000Z')
    expect(rows).toHaveLength(19 * 6)
    expect(new Set(rows.filter((row) => row['current'] === 1).map((row) => row['date_of_rank']))).toEqual(
      new Set([days.at(-1)]),
    )
  })

  it('averages conferences and the division over their teams', async () => {
    const teams = await lines('statistic_ranking')
    const [league] = await lines('league_statistic_ranking')
    expect(league?.['points']).toBeCloseTo(mean(teams), 2)
    expect(league?.['points_rank']).toBeNull()
    const conferences = await lines('conference_statistic_ranking')
    const early = conferences.find((row) => row['conference_id'] === 'early')
    const members = teams.filter((row) => ['ants', 'bees', 'cats'].includes(String(row['team_id'])))
    expect(early?.['points']).toBeCloseTo(mean(members), 2)
    expect(conferences.map((row) => row['points_rank']).toSorted()).toEqual([1, 2])
  })

  it('gives a coach the team’s statistics', async () => {
    const teams = new Map((await lines('statistic_ranking')).map((row) => [row['team_id'], row]))
    const coaches = await lines('coach_statistic_ranking')
    expect(coaches).toHaveLength(6)
    for (const row of coaches)
      expect(row['wins']).toBe(teams.get(String(row['coach_id']).replace('coach of ', ''))?.['wins'])
  })

  it('adds a player’s boxscores up by season and over the career', async () => {
    const rows = await rowsOf(database, 'player_statistic_ranking')
    const of = (career: number) =>
      rows.find(
        (row) => row['player_id'] === 'ants one' && row['career'] === career && row['season'] === 2026,
      )
    const season = JSON.parse(String(of(0)?.['line'])) as Record<string, number>
    const career = JSON.parse(String(of(1)?.['line'])) as Record<string, number>
    expect([season['games'], season['points'], season['points_per_game']]).toEqual([10, 300, 30])
    expect([career['games'], career['points'], career['points_per_game']]).toEqual([20, 600, 30])
    expect(of(1)?.['team_id']).toBeNull()
    expect(new Set(rows.map((row) => row['sport_player_statistic_id'])).size).toBe(rows.length)
  })

  it('changes in nothing when it is published again', async () => {
    const before = await contents(database)
    await publish(database, smallFacts(), options)
    expect(await contents(database)).toEqual(before)
  })

  it('stays as it was when a publication fails', async () => {
    const before = await contents(database)
    const facts = smallFacts()
    const broken: Facts = { ...facts, boxscores: [...facts.boxscores, ...facts.boxscores.slice(0, 1)] }
    await expect(publish(database, broken, options)).rejects.toThrow()
    expect(await contents(database)).toEqual(before)
  })

  it('stays as it was when a publication is given up', async () => {
    const before = await contents(database)
    const stopped = new AbortController()
    const progress = (phase: string, done: number) => {
      if (phase === 'statistics of 2026' && done > 3) stopped.abort()
    }
    const publication = publish(database, smallFacts(), { ...options, progress, signal: stopped.signal })
    await expect(publication).rejects.toThrow(/abort/i)
    expect(await contents(database)).toEqual(before)
  })

  it('ranks the players of an earlier day when they are asked for, once', async () => {
    const kind = 'player_statistic_ranking'
    const ofDay = async () =>
      (await lines(kind, false)).filter((row) => row['date_of_rank'] === '2025-11-05T00:00:00.000Z')
    expect(await ofDay()).toEqual([])
    await rankDay(database.db, kind, season, '2025-11-05')
    const rows = await ofDay()
    expect(rows).toHaveLength(12)
    const ant = rows.find((row) => row['player_id'] === 'ants one')
    expect([ant?.['games'], ant?.['points'], ant?.['current']]).toEqual([2, 60, 0])
    await rankDay(database.db, kind, season, '2025-11-05')
    expect(await ofDay()).toEqual(rows)
  })

  it('ranks conferences of an earlier day as they stood then', async () => {
    await rankDay(database.db, 'conference_statistic_ranking', season, '2025-11-03')
    const rows = (await lines('conference_statistic_ranking', false)).filter(
      (row) => row['date_of_rank'] === '2025-11-03T00:00:00.000Z' && row['season'] === 2026,
    )
    expect(rows.map((row) => row['games'])).toEqual([1, 1])
  })

  it('ranks a day once, however many ask for it at the same time', async () => {
    const kind = 'conference_player_statistic_ranking'
    await Promise.all([1, 2, 3].map(() => rankDay(database.db, kind, season, '2025-11-07')))
    const rows = (await rowsOf(database, kind)).filter(
      (row) => row['date_of_rank'] === '2025-11-07T00:00:00.000Z',
    )
    expect(rows.map((row) => row['conference_id']).toSorted()).toEqual(['early', 'late'])
  })

  it('has no rows of a day outside the season', async () => {
    await rankDay(database.db, 'league_statistic_ranking', season, '2026-05-01')
    const rows = await lines('league_statistic_ranking', false)
    expect(rows.filter((row) => row['date_of_rank'] === '2026-05-01T00:00:00.000Z')).toEqual([])
  })
})

describeOnBoth('a league whose games end one round after the other', (provide) => {
  let database: Database
  let close: () => Promise<void>
  let live: Map<string, Record<string, unknown>[]>
  let anew: Map<string, Record<string, unknown>[]>

  const state = async () => {
    const found = new Map<string, Record<string, unknown>[]>()
    found.set('elo', await rowsOf(database, 'elo'))
    found.set(
      'prediction',
      (await rowsOf(database, 'prediction')).filter((row) => row['current'] === 1),
    )
    for (const kind of statisticClasses)
      found.set(
        kind,
        (await rowsOf(database, kind)).filter((row) => kind === 'statistic_ranking' || row['current'] === 1),
      )
    return found
  }

  const playRound = async (round: number) => {
    const facts = smallFacts()
    const games = facts.games.filter((game) => game.game_id?.startsWith(`2026 ${round} `))
    const ids = new Set(games.map((game) => game.game_id))
    const lined = <R extends { game_id: string | null; line: object }>(rows: readonly R[]) =>
      rows
        .filter((row) => ids.has(row.game_id))
        .map(({ line, ...row }) => ({ ...row, line: JSON.stringify(line) }))
    await database.db.transaction().execute(async (transaction) => {
      for (const game of games)
        await transaction.updateTable('game').set(game).where('game_id', '=', game.game_id).execute()
      await insertRows(transaction, 'boxscore', lined(facts.boxscores))
      await insertRows(transaction, 'player_boxscore', lined(facts.playerBoxscores))
      await settle(transaction, season)
    })
  }

  beforeAll(async () => {
    ;({ database, close } = await open(await provide()))
    await publish(database, factsThrough(4), options)
    for (const round of [4, 5, 6, 7, 8, 9]) await playRound(round)
    live = await state()
    await publish(database, smallFacts(), options)
    anew = await state()
  })
  afterAll(() => close())

  it.each(['elo', 'prediction', ...statisticClasses])(
    'has the %s rows that publishing it whole makes',
    (table) => {
      expect(live.get(table)?.length).toBeGreaterThan(0)
      expect(live.get(table)).toEqual(anew.get(table))
    },
  )

  it('is not touched by settling again', async () => {
    const before = await state()
    await database.db.transaction().execute((transaction) => settle(transaction, season))
    expect(await state()).toEqual(before)
  })
})

describe('the teams and people of a league', () => {
  it('go when they are not in its facts any more', async () => {
    const database = await openDatabase(':memory:')
    const facts = smallFacts()
    await publish(database, facts, options)
    const less: Facts = {
      ...facts,
      players: facts.players.filter((player) => player.player_id !== 'ants one'),
      playerSeasons: facts.playerSeasons.filter((row) => row.player_id !== 'ants one'),
    }
    await publish(database, less, options)
    const players = await rowsOf(database, 'player')
    expect(players.map((row) => row['player_id'])).not.toContain('ants one')
    expect(players).toHaveLength(11)
    const named = await rowsOf(database, 'name_part')
    expect(named.filter((row) => row['id'] === 'ants one')).toEqual([])
    expect(named.filter((row) => row['id'] === 'ants two')).not.toEqual([])
    await database.close()
  })
})
