import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Facts } from '../../../src/service/league/facts.ts'
import { publish } from '../../../src/service/league/publish.ts'
import { rankDay } from '../../../src/service/league/rank-day.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { tableNames } from '../../../src/specification/tables.ts'
import type { Schema } from '../../../src/service/store/schema.ts'
import { describeOnBoth } from '../databases.ts'
import type { Provided } from '../databases.ts'
import { smallFacts, smallLeague } from './small-league.ts'

/** The small league's facts of one season, in which its teams and people may have other names. */
function season(year: number, change: (facts: Facts) => Facts = (facts) => facts): Facts {
  const facts = smallFacts()
  const of = <R extends { season: number | null }>(rows: readonly R[]) =>
    rows.filter((row) => row.season === year)
  return change({
    ...facts,
    memberships: of(facts.memberships),
    playerSeasons: of(facts.playerSeasons),
    coachSeasons: of(facts.coachSeasons),
    games: of(facts.games),
    boxscores: of(facts.boxscores),
    playerBoxscores: of(facts.playerBoxscores),
  })
}

/** A third season: the second one a year later, without a team and a player, and with another name. */
const third = () =>
  season(2026, (facts) => {
    const text = JSON.stringify(facts).replaceAll('2026', '2027').replaceAll('2025-', '2026-')
    const later = JSON.parse(text) as Facts // the same shape with other years
    const left = (id: string | null) => id === 'foxes' || id?.startsWith('foxes ') === true
    return {
      ...later,
      teams: later.teams
        .filter((team) => !left(team.team_id))
        .map((team) => (team.team_id === 'ants' ? { ...team, name: 'formicidae' } : team)),
      memberships: later.memberships.filter((row) => !left(row.team_id)),
      players: later.players.filter((row) => !left(row.player_id) && row.player_id !== 'bees two'),
      playerSeasons: later.playerSeasons.filter(
        (row) => !left(row.player_id) && row.player_id !== 'bees two',
      ),
      coaches: later.coaches.filter((row) => row.coach_id !== 'coach of foxes'),
      coachSeasons: later.coachSeasons.filter((row) => row.team_id !== 'foxes'),
      games: later.games.filter((game) => !left(game.home_team_id) && !left(game.away_team_id)),
      boxscores: later.boxscores.filter(
        (box) =>
          !later.games.some(
            (game) => game.game_id === box.game_id && (left(game.home_team_id) || left(game.away_team_id)),
          ),
      ),
      playerBoxscores: later.playerBoxscores.filter(
        (box) =>
          box.player_id !== 'bees two' &&
          !later.games.some(
            (game) => game.game_id === box.game_id && (left(game.home_team_id) || left(game.away_team_id)),
          ),
      ),
    }
  })

/** The third season before a team, its people and a player left it, all under other names. */
const before = () =>
  season(2026, (facts) => {
    const text = JSON.stringify(facts).replaceAll('2026', '2027').replaceAll('2025-', '2026-')
    const later = JSON.parse(text) as Facts // the same shape with other years
    const called = <R extends { last_name: string | null }>(row: R) => ({ ...row, last_name: 'renamed' })
    return {
      ...later,
      teams: later.teams.map((team) => ({ ...team, name: `new ${team.name}` })),
      players: later.players.map(called),
      coaches: later.coaches.map(called),
    }
  })

const facts: Readonly<Record<string, () => Facts>> = {
  a: () => season(2025),
  b: () => season(2026),
  c: third,
  d: before,
}

async function contents(database: Database): Promise<Map<string, string[]>> {
  const tables: (keyof Schema)[] = [...tableNames, 'membership', 'coach_season', 'ranked_day', 'name_part']
  const found = new Map<string, string[]>()
  for (const table of tables) {
    const rows = await database.db.selectFrom<keyof Schema>(table).selectAll().execute()
    found.set(table, rows.map((row) => JSON.stringify(row)).toSorted())
  }
  const leagues = await database.db.selectFrom('league').select(['sport', 'fingerprint']).execute()
  return found.set(
    'league',
    leagues.map((row) => JSON.stringify(row)),
  )
}

describeOnBoth('the seasons of a league', (provide) => {
  const opened: { provided: Provided; database: Database }[] = []
  let whole: Map<string, string[]>
  let database: Database

  async function publishIn(order: string): Promise<Database> {
    const provided = await provide()
    const one = await openDatabase(provided.location)
    opened.push({ provided, database: one })
    for (const name of order)
      await publish(one, facts[name]!(), { source: 'test', fingerprint: `of ${name}` })
    return one
  }

  beforeAll(async () => {
    database = await publishIn('abc')
    whole = await contents(database)
  })
  afterAll(async () => {
    for (const { database: one, provided } of opened) {
      await one.close()
      await provided.dispose()
    }
  })

  const of = (map: Map<string, string[]>, table: string, text: string) =>
    (map.get(table) ?? []).filter((row) => row.includes(text))

  it('stand side by side', () => {
    for (const year of [2025, 2026, 2027])
      for (const table of ['game', 'elo', 'statistic_ranking', 'player_boxscore', 'membership'])
        expect(of(whole, table, `"season":${year}`).length, `${table} ${year}`).toBeGreaterThan(0)
    expect(of(whole, 'prediction', '"season":2025')).toHaveLength(30)
  })

  it.each(['acb', 'bac', 'bca', 'cab', 'cba'])('make the same database in the order %s', async (order) => {
    const other = await contents(await publishIn(order))
    for (const [table, rows] of whole) expect(other.get(table), table).toEqual(rows)
  })

  it.each(['abdc', 'dabc', 'bdca'])('leave no names of a replaced season: %s', async (order) => {
    const other = await contents(await publishIn(order))
    for (const [table, rows] of whole) expect(other.get(table), table).toEqual(rows)
  })

  it.each(['a', 'b', 'c'])('stay as they are when %s is published again', async (name) => {
    await publish(database, facts[name]!(), { source: 'test', fingerprint: `of ${name}` })
    const again = await contents(database)
    for (const [table, rows] of whole) expect(again.get(table), table).toEqual(rows)
  })

  it('begin with seven tenths of what the season before left', async () => {
    const rows = await database.db
      .selectFrom('elo')
      .innerJoin('game', 'game.game_id', 'elo.game_id')
      .select(['elo.season', 'elo', 'current', 'elo.team_id', 'game.start_datetime'])
      .where('elo.team_id', '=', 'ants')
      .orderBy('game.start_datetime')
      .execute()
    const last = rows.find((row) => row.season === 2025 && row.current === 1)?.elo ?? 0
    const alone = await publishIn('b')
    const [fresh] = await alone.db
      .selectFrom('elo')
      .innerJoin('game', 'game.game_id', 'elo.game_id')
      .select('elo')
      .where('elo.team_id', '=', 'ants')
      .orderBy('game.start_datetime')
      .execute()
    const first = rows.find((row) => row.season === 2026)
    expect(last).toBeGreaterThan(1600)
    expect((first?.elo ?? 0) - (fresh?.elo ?? 0)).toBeGreaterThan(0.5 * 0.7 * (last - 1500))
  })

  it('add up to careers, which the latest roster makes active', async () => {
    const rows = await database.db
      .selectFrom('player_statistic_ranking')
      .selectAll()
      .where('player_id', 'in', ['ants one', 'bees two'])
      .where('current', '=', 1)
      .execute()
    const games = (player: string, career: number) =>
      rows
        .filter((row) => row.player_id === player && row.career === career)
        .map((row) => [row.season, (JSON.parse(row.line) as { games: number }).games, row.career_active])
        .toSorted()
    expect(games('ants one', 1)).toEqual([[2027, 28, 1]])
    expect(games('bees two', 1)).toEqual([[2027, 20, 0]])
    expect(games('bees two', 0)).toEqual([
      [2025, 10, 0],
      [2026, 10, 0],
    ])
  })

  it('name teams as the latest of them does, and find them by that name alone', async () => {
    const ants = await database.db
      .selectFrom('team')
      .select('name')
      .where('team_id', '=', 'ants')
      .executeTakeFirstOrThrow()
    expect(ants.name).toBe('formicidae')
    const parts = await database.db
      .selectFrom('name_part')
      .select('part')
      .where('id', '=', 'ants')
      .where('kind', '=', 'team')
      .execute()
    expect(parts.map((row) => row.part)).toContain('formicidae')
  })

  it('keep the teams and people of others when one loses them', async () => {
    const one = await publishIn('ab')
    await publish(
      one,
      season(2026, (all) => ({
        ...all,
        players: all.players.filter((row) => row.player_id !== 'cats one'),
        playerSeasons: all.playerSeasons.filter((row) => row.player_id !== 'cats one'),
        playerBoxscores: all.playerBoxscores.filter((row) => row.player_id !== 'cats one'),
      })),
      { source: 'test' },
    )
    const players = await one.db.selectFrom('player').select('player_id').execute()
    expect(players.map((row) => row.player_id)).toContain('cats one')
  })

  it('drop the computed days of teams when their ratings change, and keep those of players', async () => {
    const one = await publishIn('b')
    const key = { ...smallLeague, season: 2026 }
    await rankDay(one.db, 'conference_statistic_ranking', key, '2025-11-09')
    await rankDay(one.db, 'player_statistic_ranking', key, '2025-11-09')
    await publish(one, facts['a']!(), { source: 'test' })
    const days = await one.db.selectFrom('ranked_day').selectAll().where('day', '=', '2025-11-09').execute()
    expect(days.map((row) => row.class)).toEqual(['player_statistic_ranking'])
    const rows = await one.db
      .selectFrom('conference_statistic_ranking')
      .selectAll()
      .where('date_of_rank', '=', '2025-11-09T00:00:00.000Z')
      .execute()
    expect(rows).toEqual([])
  })
})
