import { playerColumnsNotInRoster, sportColumns, tables } from './tables.ts'
import type { StatisticClass, TableName } from './tables.ts'
import { bytesOf, keyed, widthOf } from './widths.ts'

/**
 * Every operation of the specification (§4) that Statline calls, as data. Only the arguments named here are
 * ever sent: those of the table in §4, and for `read` on the listed tables their own id columns and `season`.
 */
export interface Operation {
  readonly class: string
  readonly function: string
  readonly arguments: readonly string[]
  /** The argument that takes several ids, where one does. */
  readonly batch?: string
  /** The table whose rows it answers with. */
  readonly yields: TableName | 'search'
  /** One flat object, or rows keyed by their id. */
  readonly answer: 'row' | 'rows'
  /** Its rows have the ids of the table's, but other numbers, and are not kept with them. */
  readonly separate?: true
  /** Columns of `yields` that it supplies: all that the table has unless it says so. */
  readonly columns?: readonly string[]
  /** Whether it reads rows by their keys alone, many or one. */
  readonly byKey?: 'many' | 'one'
  /** Rows of other tables in each row: both teams, its game, or its prediction and current odds. */
  readonly nests?: 'teams' | 'game' | 'lines'
  /** Bytes of one row by the specification's columns: the estimate before any answer was seen. */
  readonly rowBytes: number
  /**
   * Rows for each id, or for each call where it takes none, by the arguments that it is asked by, before any
   * answer was seen; one unless told.
   */
  readonly rows?: Readonly<Record<string, ExpectedRows>>
}

/** Rows expected, and how many times fewer or more there may be. */
export type ExpectedRows = readonly [rows: number, doubt: number]

/** A division may have a dozen teams or some four hundred. */
const divisionTeams: ExpectedRows = [100, 4]

/** An argument's value as it is sent; an array passes several. */
export type Argument = string | number | readonly string[]
export type Arguments = Readonly<Record<string, Argument>>

/** Arguments without those that have no value. */
export function argumentsOf(values: Readonly<Record<string, Argument | null | undefined>>): Arguments {
  const given: Record<string, Argument> = {}
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== null) given[name] = value
  return given
}

const read = <T extends TableName>(table: T, filters: readonly string[] = []) =>
  ({
    class: table,
    function: 'read',
    arguments: [`${table}_id`, ...filters],
    batch: `${table}_id`,
    yields: table,
    answer: 'rows',
    byKey: 'many',
    rowBytes: bytesOf(table),
  }) as const satisfies Operation

const get = <T extends TableName>(table: T, filters: readonly string[] = []) =>
  ({
    class: table,
    function: 'get',
    arguments: [`${table}_id`, ...filters],
    yields: table,
    answer: 'row',
    byKey: 'one',
    rowBytes: bytesOf(table),
  }) as const satisfies Operation

const league = ['organization_id', 'division_id'] as const

const statistics = <T extends StatisticClass>(table: T, identity: readonly string[]) =>
  ({
    class: table,
    function: 'getStats',
    arguments: [...league, 'season', ...identity, 'current', 'date_of_rank', 'career', 'career_active'],
    yields: table,
    answer: 'row',
    rowBytes: bytesOf(table),
  }) as const satisfies Operation

/** The columns of a game that getScores supplies (specification, operation rules). */
export const scoreColumns = [
  'game_id',
  'away_score',
  'home_score',
  'clock',
  'current_period',
  'status',
] as const

/** The columns of a team that every row of it has; `conference_id` comes with getGames alone. */
const teamColumns = Object.keys(tables.team).filter((column) => column !== 'conference_id')

const rosterColumns = Object.keys(tables.player).filter(
  (column) => !playerColumnsNotInRoster.some((left) => left === column),
)

/**
 * The specification shows neither arguments nor response of the bulk download (§4, rankings); these are the
 * service's own.
 */
const download = <T extends TableName>(table: T, rows: ExpectedRows) =>
  ({
    class: 'ranking',
    function: 'download',
    arguments: [...league, 'season', 'type'],
    yields: table,
    answer: 'rows',
    rowBytes: bytesOf(table),
    rows: { 'season type': rows },
  }) as const satisfies Operation

/** Boxscores have the columns of their sport, football's at most. */
const boxscoreBytes = bytesOf('boxscore') + widthOf(sportColumns.football_boxscore)

const teamsSeason = { 'home_team_id season': [15, 2], 'away_team_id season': [15, 2] } as const

export const operations = {
  search: {
    class: 'search',
    function: 'search',
    arguments: ['name', ...league, 'team', 'player', 'coach'],
    yields: 'search',
    answer: 'row',
    rowBytes: 1500,
  },
  readOrganizations: { ...read('organization'), arguments: ['inactive'] },
  readDivisions: { ...read('division'), arguments: ['inactive'] },
  getGames: {
    class: 'game',
    function: 'getGames',
    arguments: [...league, 'start_date'],
    yields: 'game',
    answer: 'rows',
    nests: 'teams',
    rowBytes: bytesOf('game') + 2 * bytesOf('team'),
    rows: { start_date: [30, 2] },
  },
  getScores: {
    class: 'game',
    function: 'getScores',
    arguments: [...league, 'start_date', 'season', 'home_team_id', 'away_team_id'],
    yields: 'game',
    answer: 'rows',
    columns: scoreColumns,
    nests: 'lines',
    rowBytes: keyed + 160 + widthOf(tables.prediction) + widthOf(tables.odds),
    rows: { start_date: [30, 2], ...teamsSeason },
  },
  readGames: { ...read('game', ['season', 'home_team_id', 'away_team_id']), rows: teamsSeason },
  getGame: get('game'),
  getTeamStats: {
    class: 'team',
    function: 'getStats',
    arguments: [...league, 'team_id', 'season'],
    yields: 'statistic_ranking',
    answer: 'row',
    rowBytes: bytesOf('statistic_ranking'),
  },
  getPlayers: {
    class: 'team',
    function: 'getPlayers',
    arguments: ['organization_id', 'team_id', 'season'],
    yields: 'player',
    answer: 'rows',
    columns: rosterColumns,
    rowBytes: bytesOf('player') - 34 * playerColumnsNotInRoster.length,
    rows: { 'season team_id': [15, 2] },
  },
  readTeams: { ...read('team'), columns: teamColumns },
  getTeam: { ...get('team'), columns: teamColumns },
  getGameLogs: {
    class: 'player',
    function: 'getGameLogs',
    arguments: [...league, 'player_id', 'season'],
    yields: 'player_boxscore',
    answer: 'rows',
    nests: 'game',
    rowBytes:
      bytesOf('player_boxscore') +
      widthOf(sportColumns.basketball_player_boxscore) +
      widthOf(tables.game) +
      2 * widthOf(tables.team),
    rows: { 'player_id season': [30, 2] },
  },
  getSeasons: {
    class: 'player',
    function: 'getSeasons',
    arguments: ['player_id'],
    yields: 'player_team_season',
    answer: 'rows',
    rowBytes: bytesOf('player_team_season'),
    rows: { player_id: [4, 2] },
  },
  readPlayers: read('player'),
  getPlayer: get('player'),
  readCoaches: read('coach'),
  getCoach: get('coach'),
  readConferences: read('conference'),
  getConference: get('conference'),
  /** The conferences of a league. */
  readLeagueConferences: {
    class: 'conference',
    function: 'read',
    arguments: league,
    yields: 'conference',
    answer: 'rows',
    rowBytes: bytesOf('conference'),
    rows: { '': [12, 3] },
  },
  getBoxscore: {
    class: 'boxscore',
    function: 'getBoxscore',
    arguments: ['organization_id', 'game_id', 'team_id'],
    yields: 'boxscore',
    answer: 'row',
    rowBytes: boxscoreBytes,
  },
  readBoxscore: {
    class: 'boxscore',
    function: 'readBoxscore',
    arguments: ['organization_id', 'game_id', 'team_id', 'season'],
    batch: 'game_id',
    yields: 'boxscore',
    answer: 'rows',
    rowBytes: boxscoreBytes,
    rows: { game_id: [2, 2], 'season team_id': [30, 2] },
  },
  readBoxscores: read('boxscore'),
  getBoxscoreById: get('boxscore'),
  getPlayerBoxscore: {
    class: 'player_boxscore',
    function: 'getPlayerBoxscore',
    arguments: ['player_boxscore_id', 'organization_id', 'game_id', 'player_id'],
    yields: 'player_boxscore',
    answer: 'row',
    byKey: 'one',
    rowBytes: bytesOf('player_boxscore'),
  },
  readPlayerBoxscores: {
    ...read('player_boxscore', [...league, 'game_id', 'team_id', 'player_id', 'season']),
    rowBytes: bytesOf('player_boxscore') + widthOf(sportColumns.basketball_player_boxscore),
    rows: { game_id: [20, 2], 'game_id team_id': [10, 2] },
  },
  readElo: {
    ...read('elo', [...league, 'team_id', 'season', 'current']),
    rows: {
      'season team_id': [30, 2],
      team_id: [60, 2],
      'current season': divisionTeams,
      season: [3000, 4],
    },
  },
  getElo: get('elo', [...league, 'team_id', 'season', 'current']),
  /** Any rating of a season: whether the season has begun. */
  getAnyElo: {
    class: 'elo',
    function: 'get',
    arguments: [...league, 'season'],
    yields: 'elo',
    answer: 'row',
    rowBytes: bytesOf('elo'),
  },
  readOdds: { ...read('odds', ['game_id']), rows: { game_id: [30, 10] } },
  getOdds: get('odds'),
  getConferencePrediction: {
    class: 'conference',
    function: 'getConferencePrediction',
    arguments: ['organization_id', 'conference_id', 'season'],
    yields: 'statistic_ranking',
    answer: 'rows',
    separate: true,
    rowBytes: bytesOf('statistic_ranking'),
    rows: { 'conference_id season': [12, 2] },
  },
  readTransfers: {
    ...read('cbb_transfer_player_season', ['season', 'player_id']),
    rows: { season: [500, 10] },
  },
  getTransfer: get('cbb_transfer_player_season'),
  downloadTeams: download('statistic_ranking', divisionTeams),
  downloadPlayers: download('player_statistic_ranking', [1000, 4]),
  downloadCoaches: download('coach_statistic_ranking', divisionTeams),
  downloadConferences: download('conference_statistic_ranking', [12, 3]),
  statistic_ranking: statistics('statistic_ranking', ['team_id']),
  player_statistic_ranking: statistics('player_statistic_ranking', ['player_id', 'team_id']),
  coach_statistic_ranking: statistics('coach_statistic_ranking', ['coach_id']),
  conference_statistic_ranking: statistics('conference_statistic_ranking', ['conference_id']),
  league_statistic_ranking: statistics('league_statistic_ranking', []),
  /** The averages of whatever season is the latest. */
  getLatestAverages: statistics('league_statistic_ranking', []),
  conference_player_statistic_ranking: statistics('conference_player_statistic_ranking', ['conference_id']),
  league_player_statistic_ranking: statistics('league_player_statistic_ranking', []),
} as const satisfies Readonly<Record<string, Operation>>

const names = new WeakMap<Operation, string>()

/** `team/read`, as the service and the plan name it. */
export function nameOf(operation: Operation): string {
  let name = names.get(operation)
  if (name === undefined) names.set(operation, (name = `${operation.class}/${operation.function}`))
  return name
}

/** How many ids a call collapses. */
export function idsOf({ batch }: Operation, values: Arguments): number {
  const ids = batch === undefined ? undefined : values[batch]
  if (typeof ids === 'object') return ids.length
  let most = 1
  for (const name in values) {
    const value = values[name]
    if (typeof value === 'object') most = Math.max(most, value.length)
  }
  return most
}

/**
 * What a call is asked by, beside its league: `season team_id`. How many rows it answers with follows from
 * that.
 */
export function formOf(values: Arguments): string {
  const names: string[] = []
  for (const name in values) if (name !== league[0] && name !== league[1]) names.push(name)
  return names.length < 2 ? (names[0] ?? '') : names.toSorted().join(' ')
}

/** The columns of its table that an operation promises: one that an answer leaves out has no value. */
export function suppliedBy(operation: Operation): ReadonlySet<string> {
  let columns = supplied.get(operation)
  if (!columns) {
    columns = new Set(operation.columns ?? (operation.yields === 'search' ? [] : columnsOf(operation.yields)))
    supplied.set(operation, columns)
  }
  return columns
}

/** A table's own columns and those of all its sport parts. */
function columnsOf(table: TableName): readonly string[] {
  const parts = Object.entries(sportColumns).filter(([name]) => name.split('_').slice(1).join('_') === table)
  return [...Object.keys(tables[table]), ...parts.flatMap(([, columns]) => Object.keys(columns))]
}

const supplied = new WeakMap<Operation, ReadonlySet<string>>()

/** The operation that reads many rows of a table by their keys, or one; undefined where there is none. */
export const readerOf = (table: TableName, byKey: 'many' | 'one'): Operation | undefined =>
  Object.values<Operation>(operations).find((one) => one.yields === table && one.byKey === byKey)
