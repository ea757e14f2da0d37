import { playerColumnsNotInRoster, sportColumns, tables } from './tables.ts'
import type { StatisticClass, TableName } from './tables.ts'
import { league } from './operation.ts'
import type { ExpectedRows, Operation } from './operation.ts'
import { bytesOf, keyed, playerStatisticBytes, widthOf } from './widths.ts'

/** A division may have two dozen teams or some four hundred. */
const divisionTeams: ExpectedRows = [100, 4, 9]

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

/** The columns that every row of a team has. Only getGames adds `conference_id`. */
const teamColumns = Object.keys(tables.team).filter((column) => column !== 'conference_id')

const rosterColumns = Object.keys(tables.player).filter(
  (column) => !playerColumnsNotInRoster.some((left) => left === column),
)

/**
 * The specification shows neither the arguments nor the answer of the bulk download (§4, rankings). These are
 * the service's own.
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

const downloadPlayers = {
  ...download('player_statistic_ranking', [1000, 4, 140]),
  rowBytes: playerStatisticBytes,
} as const satisfies Operation

/** Boxscores have the columns of their sport: between basketball's, the fewest, and football's, the most. */
const boxscoreBytes =
  bytesOf('boxscore') +
  (widthOf(sportColumns.basketball_boxscore) + widthOf(sportColumns.football_boxscore)) / 2

/** A team has six games at home in football, fifteen in basketball. */
const teamsSeason = { 'home_team_id season': [10, 3], 'away_team_id season': [10, 3] } as const

/** A row of a team without its conference. */
const teamBytes = bytesOf('team') - widthOf({ conference_id: tables.team.conference_id })

/**
 * All operations of the specification (§4) that Statline calls. Only the arguments named here are ever sent:
 * those in the table of §4, and for `read` on the listed tables also their id columns and `season`.
 */
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
    rows: { start_date: [14, 4] },
  },
  getScores: {
    class: 'game',
    function: 'getScores',
    arguments: [...league, 'start_date', 'season', 'home_team_id', 'away_team_id'],
    yields: 'game',
    answer: 'rows',
    columns: scoreColumns,
    nests: 'lines',
    // Games that have begun have live odds too.
    rowBytes: keyed + 160 + widthOf(tables.prediction) + 1.75 * widthOf(tables.odds),
    rows: { start_date: [14, 4], ...teamsSeason },
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
    rows: { 'season team_id': [18, 3] },
  },
  readTeams: { ...read('team'), columns: teamColumns, rowBytes: teamBytes },
  getTeam: { ...get('team'), columns: teamColumns, rowBytes: teamBytes },
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
    rows: { 'player_id season': [12, 3] },
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
    rows: { '': [3, 12] },
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
    rows: { game_id: [34, 3], 'game_id team_id': [17, 3] },
  },
  readElo: {
    ...read('elo', [...league, 'team_id', 'season', 'current']),
    rows: {
      'season team_id': [12, 3],
      team_id: [24, 3],
      'current season': divisionTeams,
      season: [3000, 4],
    },
  },
  getElo: get('elo', [...league, 'team_id', 'season', 'current']),
  /** Any rating of a season shows that the season has begun. */
  getAnyElo: {
    class: 'elo',
    function: 'get',
    arguments: [...league, 'season'],
    yields: 'elo',
    answer: 'row',
    rowBytes: bytesOf('elo'),
  },
  readOdds: { ...read('odds', ['game_id']), rows: { game_id: [15, 10] } },
  getOdds: get('odds'),
  getConferencePrediction: {
    class: 'conference',
    function: 'getConferencePrediction',
    arguments: ['organization_id', 'conference_id', 'season'],
    yields: 'statistic_ranking',
    answer: 'rows',
    separate: true,
    rowBytes: bytesOf('statistic_ranking'),
    rows: { 'conference_id season': [9, 2] },
  },
  readTransfers: {
    ...read('cbb_transfer_player_season', ['season', 'player_id']),
    rows: { season: [500, 10] },
  },
  getTransfer: get('cbb_transfer_player_season'),
  downloadTeams: download('statistic_ranking', divisionTeams),
  downloadPlayers,
  /** A row has the id of the player's own statistics, and the transfer's columns besides. */
  downloadTransfers: { ...downloadPlayers, keyedBy: 'cbb_transfer_player_season_id' },
  downloadCoaches: download('coach_statistic_ranking', divisionTeams),
  downloadConferences: download('conference_statistic_ranking', [3, 12, 1]),
  statistic_ranking: statistics('statistic_ranking', ['team_id']),
  player_statistic_ranking: {
    ...statistics('player_statistic_ranking', ['player_id', 'team_id']),
    rowBytes: playerStatisticBytes,
  },
  coach_statistic_ranking: statistics('coach_statistic_ranking', ['coach_id']),
  conference_statistic_ranking: statistics('conference_statistic_ranking', ['conference_id']),
  league_statistic_ranking: statistics('league_statistic_ranking', []),
  /** The averages of the latest season. */
  getLatestAverages: statistics('league_statistic_ranking', []),
  conference_player_statistic_ranking: statistics('conference_player_statistic_ranking', ['conference_id']),
  league_player_statistic_ranking: statistics('league_player_statistic_ranking', []),
} as const satisfies Readonly<Record<string, Operation>>

/** The operation that reads many rows of a table, or one, by key; undefined if there is none. */
export const readerOf = (table: TableName, byKey: 'many' | 'one'): Operation | undefined =>
  Object.values<Operation>(operations).find((one) => one.yields === table && one.byKey === byKey)

export type OperationName = keyof typeof operations

const byName = new Map<string, Operation>(Object.entries(operations))
const names = new Map<Operation, OperationName>(
  // the keys of the object above
  Object.entries(operations).map(([name, operation]) => [operation, name as OperationName]),
)

/** The name of an operation in this file. Several may have the same class and function. */
export function listedName(operation: Operation): OperationName {
  const name = names.get(operation)
  if (name === undefined) throw new Error('The operation is not listed.')
  return name
}

/** The operation of a name; undefined if this version has none. */
export const listedOperation = (name: string): Operation | undefined => byName.get(name)
