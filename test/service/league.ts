import { nameUuids } from '../../src/service/league/name-uuid.ts'
import type { Columns, Value } from '../../src/specification/columns.ts'
import { tables } from '../../src/specification/tables.ts'
import type { TableName } from '../../src/specification/tables.ts'
import type { Database } from '../../src/service/store/database.ts'
import { fillNameParts } from '../../src/service/store/name-parts.ts'
import { foldNames } from '../../src/service/store/names.ts'
import { linedTables, namedTables } from '../../src/service/store/schema.ts'
import type { Schema } from '../../src/service/store/schema.ts'

const CHUNK = 500

const NAMESPACE = '5d1f9c1e-5a0c-4c0e-9d5f-2b7a51c0ffee'

/** The id of a row of the handmade league by a name of ours. */
export const id = nameUuids(NAMESPACE)

export const league = {
  organization_id: id('basketball'),
  division_id: id('first division'),
  season: 2026,
}

const place = { organization_id: league.organization_id, division_id: league.division_id }

/** A whole row of a table: null and 0 wherever the test has nothing to say. */
export function row<T extends keyof Schema & TableName>(table: T, given: Record<string, unknown>): Schema[T] {
  const columns: Columns = tables[table]
  const blank: Record<string, Value> = {}
  for (const [name, { kind }] of Object.entries(columns)) blank[name] = kind === 'flag' ? 0 : null
  if (table === 'team') delete blank['conference_id']
  if (linedTables.some((lined) => lined === table)) blank['line'] = '{}'
  const whole = { ...blank, ...given }
  if (table === 'team') whole['folded'] = folded(whole, 'name', 'code', 'alt_name')
  if (table === 'player' || table === 'coach') whole['folded'] = folded(whole, 'first_name', 'last_name')
  return whole as unknown as Schema[T] // every column of the table was put there above
}

const folded = (whole: Record<string, unknown>, ...names: string[]) =>
  foldNames(...names.map((name) => (whole[name] === null ? null : String(whole[name]))))

/** Puts rows into a database. */
export async function put<T extends keyof Schema & TableName>(
  { db }: Database,
  table: T,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const whole = rows.map((given) => row(table, given))
  // The rows are of the table, which is chosen by the caller.
  for (let from = 0; from < whole.length; from += CHUNK)
    await db
      .insertInto(table)
      .values(whole.slice(from, from + CHUNK) as never)
      .execute()
  if (namedTables.some((named) => named === table)) await fillNameParts(db)
}

const at = (day: string, time = '00:00') => `${day}T${time}:00.000Z`

const team = (name: string, char6: string, alt: string) => ({
  team_id: id(name),
  char6,
  code: char6.toLowerCase(),
  name,
  alt_name: alt,
  primary_color: '#112233',
})

const game = (name: string, day: string, away: string, home: string, more: Record<string, unknown> = {}) => ({
  game_id: id(name),
  ...place,
  season: 2026,
  away_team_id: id(away),
  home_team_id: id(home),
  start_date: at(day),
  start_datetime: at(day, '19:00'),
  start_timestamp: Date.parse(at(day, '19:00')) / 1000,
  updated_at: at(day, '21:30'),
  is_conf_game: 1,
  status: 'final',
  current_period: 'Final',
  clock: '0:00',
  ...more,
})

const games = [
  game('opener', '2026-01-10', 'Lions', 'Tigers', {
    away_score: 70,
    home_score: 80,
    boxscore: 1,
    network: 'ESPN',
  }),
  game('second', '2026-01-10', 'Bears', 'Wolves', { away_score: 66, home_score: 61, neutral_site: 1 }),
  game('later', '2026-01-12', 'Tigers', 'Bears', { away_score: 55, home_score: 54 }),
  game('to come', '2026-01-20', 'Lions', 'Bears', { status: 'scheduled', current_period: null, clock: null }),
  game('withdrawn', '2026-01-10', 'Lions', 'Wolves', { deleted: 1 }),
]

const prediction = (of: string, name: string, more: Record<string, unknown>) => ({
  prediction_id: id(name),
  game_id: id(of),
  season: 2026,
  date_of_entry: at('2026-01-09'),
  ...more,
})

const odds = (of: string, name: string, day: string, more: Record<string, unknown>) => ({
  odds_id: id(name),
  game_id: id(of),
  date_of_entry: at(day),
  ...more,
})

const elo = (of: string, after: string, day: string, rating: number, current: number) => ({
  elo_id: id(`elo of ${of} after ${after}`),
  ...place,
  team_id: id(of),
  game_id: id(after),
  season: 2026,
  elo: rating,
  current,
  date_of_entry: at(day),
  updated_at: at(day),
})

const player = (first_name: string, last_name: string, more: Record<string, unknown> = {}) => ({
  player_id: id(`${first_name} ${last_name}`),
  first_name,
  last_name,
  position: 'G',
  height: '6-4',
  number: '12',
  college: 'State',
  ...more,
})

const season = (of: string, where: string, year: number) => ({
  player_team_season_id: id(`${of} ${year}`),
  player_id: id(of),
  team_id: id(where),
  season: year,
})

const boxscore = (of: string, side: string, line: object, more: Record<string, unknown> = {}) => ({
  boxscore_id: id(`${side} in ${of}`),
  ...place,
  game_id: id(of),
  team_id: id(side),
  season: 2026,
  sport_boxscore_id: id(`sport part of ${side} in ${of}`),
  final: 1,
  line: JSON.stringify(line),
  ...more,
})

const playerBoxscore = (of: string, side: string, who: string, line: object) => ({
  player_boxscore_id: id(`${who} in ${of}`),
  ...place,
  game_id: id(of),
  team_id: id(side),
  player_id: id(who),
  season: 2026,
  sport_player_boxscore_id: id(`sport part of ${who} in ${of}`),
  final: 1,
  first_name: who.split(' ')[0],
  last_name: who.split(' ')[1],
  position: 'G',
  line: JSON.stringify(line),
})

const ranked = (key: string, name: string, day: string, current: number, line: object, more: object) => ({
  [key]: id(`${name} ${day}`),
  ...place,
  season: 2026,
  date_of_rank: at(day),
  current,
  line: JSON.stringify(line),
  ...more,
})

const teamDay = (name: string, day: string, current: number, line: object) =>
  ranked('statistic_ranking_id', name, day, current, line, { team_id: id(name) })

const membership = (name: string, season: number, conference: string) => ({
  ...place,
  team_id: id(name),
  season,
  conference_id: id(conference),
})

/** Four teams, two conferences, five games: enough for each operation to have something to leave out. */
export async function fillLeague(database: Database): Promise<void> {
  const { db } = database
  await db
    .insertInto('league')
    .values({
      ...place,
      sport: 'basketball',
      source: 'handmade',
      fingerprint: null,
      published_at: at('2026-01-13'),
    })
    .execute()
  await put(database, 'organization', [
    { organization_id: id('basketball'), code: 'CBB', name: 'College Basketball' },
    { organization_id: id('curling'), code: 'CUR', name: 'Curling', inactive: 1 },
  ])
  await put(database, 'division', [
    { division_id: id('first division'), code: 'D1', name: 'Division I' },
    { division_id: id('old division'), code: 'D0', name: 'Division Zero', inactive: 1 },
  ])
  await put(database, 'conference', [
    { conference_id: id('East'), ...place, code: 'E', name: 'East' },
    { conference_id: id('West'), ...place, code: 'W', name: 'West' },
  ])
  await put(database, 'team', [
    team('Lions', 'LIO', 'Ocean State'),
    team('Tigers', 'TIG', 'Mountain State'),
    team('Bears', 'BEA', 'Río Grande'),
    team('Wolves', 'WOL', '100% Valley'),
    team('Outsiders', 'OUT', 'Elsewhere State'),
  ])
  const members = [
    ['Lions', 2025, 'West'],
    ['Lions', 2026, 'East'],
    ['Bears', 2026, 'East'],
    ['Tigers', 2026, 'West'],
    ['Wolves', 2026, 'West'],
  ] as const
  await db
    .insertInto('membership')
    .values(members.map(([name, season, conference]) => membership(name, season, conference)))
    .execute()
  await put(database, 'game', games)
  await put(database, 'prediction', [
    prediction('opener', 'old view', { home_percentage: 0.5, away_percentage: 0.5 }),
    prediction('opener', 'last view', {
      home_percentage: 0.62,
      away_percentage: 0.38,
      home_score: 77,
      away_score: 73,
      current: 1,
    }),
    prediction('to come', 'view to come', { home_percentage: 0.75, away_percentage: 0.25, current: 1 }),
  ])
  await put(database, 'odds', [
    odds('opener', 'first line', '2026-01-08', { spread_home: -3, spread_away: 3 }),
    odds('opener', 'last line', '2026-01-10', {
      spread_home: -3.5,
      spread_away: 3.5,
      over: 145.5,
      under: 145.5,
      money_line_home: -160,
      current: 1,
    }),
    odds('opener', 'line in play', '2026-01-11', { spread_home: -8, spread_away: 8, live: 1, current: 1 }),
    odds('second', 'only line', '2026-01-10', { spread_home: 1.5, current: 1 }),
  ])
  await put(database, 'elo', [
    elo('Lions', 'opener', '2026-01-10', 1480, 1),
    elo('Tigers', 'opener', '2026-01-10', 1520, 0),
    elo('Tigers', 'later', '2026-01-12', 1531, 1),
    elo('Bears', 'later', '2026-01-12', 1499, 1),
  ])
  await put(database, 'player', [
    player('John', 'Smith'),
    player('Smith', 'Johnson'),
    player('Sam', 'Smithson'),
    player('José', 'Van Dyke', { weight: 210 }),
    player('Ann', 'Elsewhere'),
    player('Old', 'Smith'),
  ])
  await put(database, 'player_team_season', [
    season('John Smith', 'Lions', 2026),
    season('John Smith', 'Lions', 2025),
    season('Smith Johnson', 'Tigers', 2026),
    season('Sam Smithson', 'Lions', 2026),
    season('José Van Dyke', 'Bears', 2026),
    season('Ann Elsewhere', 'Outsiders', 2026),
    season('Old Smith', 'Lions', 2025),
  ])
  await put(database, 'coach', [
    { coach_id: id('Coach Smith'), first_name: 'Coach', last_name: 'Smith' },
    { coach_id: id('Pat Knight'), first_name: 'Pat', last_name: 'Knight' },
  ])
  await db
    .insertInto('coach_season')
    .values([
      { coach_id: id('Coach Smith'), team_id: id('Lions'), season: 2025 },
      { coach_id: id('Coach Smith'), team_id: id('Lions'), season: 2026 },
      { coach_id: id('Pat Knight'), team_id: id('Bears'), season: 2026 },
    ])
    .execute()
  await put(database, 'cbb_transfer_player_season', [
    {
      cbb_transfer_player_season_id: id('move of Smith'),
      player_id: id('John Smith'),
      season: 2026,
      committed_team_id: id('Bears'),
      committed: 1,
    },
    { cbb_transfer_player_season_id: id('move of Van Dyke'), player_id: id('José Van Dyke'), season: 2026 },
    { cbb_transfer_player_season_id: id('old move'), player_id: id('Old Smith'), season: 2025, committed: 1 },
  ])
  await put(database, 'boxscore', [
    boxscore('opener', 'Lions', { points: 70, assists: 12, fouls: null }),
    boxscore('opener', 'Tigers', { points: 80, assists: 20 }),
    boxscore('later', 'Tigers', { points: 55, assists: 9 }),
  ])
  await put(database, 'player_boxscore', [
    playerBoxscore('opener', 'Lions', 'John Smith', { points: 31, field_goal_percentage: 52.4 }),
    playerBoxscore('opener', 'Lions', 'Sam Smithson', { points: 39 }),
    playerBoxscore('opener', 'Tigers', 'Smith Johnson', { points: 80 }),
    playerBoxscore('later', 'Tigers', 'Smith Johnson', { points: 55 }),
  ])
  await put(database, 'statistic_ranking', [
    teamDay('Lions', '2026-01-10', 1, {
      games: 1,
      wins: 0,
      losses: 1,
      confwins: 0,
      conflosses: 1,
      points: 70,
      points_rank: 2,
    }),
    teamDay('Bears', '2026-01-10', 0, {
      games: 1,
      wins: 1,
      losses: 0,
      confwins: 1,
      conflosses: 0,
      points: 66,
      points_rank: 3,
    }),
    teamDay('Bears', '2026-01-12', 1, {
      games: 2,
      wins: 1,
      losses: 1,
      confwins: 1,
      conflosses: 1,
      points: 60,
      points_rank: 3,
    }),
    teamDay('Tigers', '2026-01-12', 1, {
      games: 2,
      wins: 2,
      losses: 0,
      confwins: 2,
      conflosses: 0,
      points: 67.5,
      points_rank: 1,
    }),
  ])
  const smith = {
    player_id: id('John Smith'),
    team_id: id('Lions'),
    sport_player_statistic_id: id('statistics of Smith'),
  }
  await put(database, 'player_statistic_ranking', [
    ranked(
      'player_statistic_ranking_id',
      'John Smith',
      '2026-01-10',
      1,
      { games: 1, points_per_game: 31, points_per_game_rank: 2 },
      smith,
    ),
    ranked(
      'player_statistic_ranking_id',
      'career of Smith',
      '2026-01-11',
      1,
      { games: 30, points_per_game: 20.5, points_per_game_rank: 9 },
      { ...smith, season: null, career: 1, career_active: 1 },
    ),
  ])
  await put(database, 'coach_statistic_ranking', [
    ranked(
      'coach_statistic_ranking_id',
      'Coach Smith',
      '2026-01-10',
      1,
      { games: 1, wins: 0, wins_rank: 2 },
      { coach_id: id('Coach Smith') },
    ),
  ])
  await put(database, 'conference_statistic_ranking', [
    ranked(
      'conference_statistic_ranking_id',
      'East',
      '2026-01-12',
      1,
      { points: 65, points_rank: 2 },
      { conference_id: id('East') },
    ),
  ])
  await put(database, 'league_statistic_ranking', [
    ranked('league_statistic_ranking_id', 'league', '2026-01-12', 1, { points: 66 }, {}),
  ])
  await put(database, 'conference_player_statistic_ranking', [
    ranked(
      'conference_player_statistic_ranking_id',
      'players of East',
      '2026-01-12',
      1,
      { points_per_game: 9 },
      { conference_id: id('East') },
    ),
  ])
  await put(database, 'league_player_statistic_ranking', [
    ranked('league_player_statistic_ranking_id', 'players', '2026-01-12', 1, { points_per_game: 8 }, {}),
  ])
}
