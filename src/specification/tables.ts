import { day, flag, foreign, integer, key, number, numbers, text, timestamp } from './columns.ts'
import type { Columns, RowOf } from './columns.ts'
import { basketballLine, describeStatistic, footballLine } from './statistics.ts'

/** All tables of the specification (§2) with their columns, in its order. */

const deleted = flag('Whether the service has withdrawn the row.')
const guid = text('The service’s stable reference of the row; null if it has none.')
const season = integer('The season: a year, as the service numbers it.')
const current = flag('Whether this is the latest row of its series.')
const organization_id = foreign('organization', 'The sport’s organization.')
const division_id = foreign('division', 'The division within the organization.')
const game_id = foreign('game', 'The game that the row belongs to.')
const team_id = foreign('team', 'The team that the row belongs to.')
const player_id = foreign('player', 'The player that the row belongs to.')

const named = {
  code: text('Short code.'),
  name: text('Name.'),
  guid,
  inactive: flag('Whether it is no longer in use.'),
  deleted,
}

const organization = { organization_id: key('Identifies the organization.'), ...named }

const division = { division_id: key('Identifies the division.'), ...named }

const team = {
  team_id: key('Identifies the team.'),
  char6: text('Short uppercase code of at most six characters, for a scoreboard.'),
  code: text('Short code.'),
  name: text('Name of the team.'),
  alt_name: text('Alternative name of the team.'),
  primary_color: text('First colour, `#RRGGBB`.'),
  secondary_color: text('Second colour, `#RRGGBB`; null if the team has none.'),
  guid,
  deleted,
  conference_id: foreign('conference', 'The team’s conference.'),
}

const game = {
  game_id: key('Identifies the game.'),
  organization_id,
  division_id,
  season,
  away_team_id: foreign('team', 'The visiting team.'),
  home_team_id: foreign('team', 'The home team.'),
  network: text('The network that broadcasts the game; null if unknown.'),
  away_score: integer('Points of the visiting team; null before the start.'),
  home_score: integer('Points of the home team; null before the start.'),
  status: text(
    'State of the game: `final` once it is over. The service defines the other values, for example `scheduled` and `in_progress`.',
  ),
  current_period: text(
    'The current period in words, `2nd Half`; `Final` once the game is over, null before the start.',
  ),
  clock: text('Time left in the period, `M:SS`; null before the start.'),
  clock_last_updated_at: timestamp('When the clock was last updated.'),
  start_date: day('The day of the game.'),
  start_datetime: timestamp('When the game starts.'),
  start_timestamp: integer(
    'When the game starts, in Unix seconds; null from 19 January 2038 on, when they no longer fit an `Int`. `startSeconds` has them always.',
  ),
  updated_at: timestamp('When the row last changed.'),
  attendance: integer('Number of spectators; null if unknown.'),
  neutral_site: flag('Whether neither team is at home.'),
  is_conf_game: flag('Whether the game counts for a conference’s standings.'),
  boxscore: { ...flag('Whether the service has boxscores of the game.'), field: 'hasBoxscore' },
  guid,
  deleted,
}

const prediction = {
  prediction_id: key('Identifies the prediction.'),
  game_id,
  season,
  home_percentage: number('Probability that the home team wins, 0 to 1.'),
  away_percentage: number('Probability that the visiting team wins, 0 to 1.'),
  home_score: integer('Predicted points of the home team.'),
  away_score: integer('Predicted points of the visiting team.'),
  live: flag('Whether it was made during the game.'),
  current,
  date_of_entry: timestamp('When the prediction was made.'),
  guid,
  deleted,
}

const odds = {
  odds_id: key('Identifies the line movement.'),
  game_id,
  money_line_away: number(
    'American odds on the visiting team: positive, the win on a stake of 100; negative, the stake for a win of 100.',
  ),
  money_line_home: number(
    'American odds on the home team: positive, the win on a stake of 100; negative, the stake for a win of 100.',
  ),
  spread_away: number('Points given to the visiting team; negative for the favourite.'),
  spread_home: number('Points given to the home team; negative for the favourite.'),
  over: number('Total points above which a bet on “over” wins.'),
  under: number('Total points below which a bet on “under” wins.'),
  date_of_entry: timestamp('When the line moved to these values.'),
  live: flag('Whether it was offered during the game.'),
  current,
  deleted,
}

const elo = {
  elo_id: key('Identifies the rating.'),
  organization_id,
  division_id,
  team_id,
  game_id: foreign('game', 'The game after which the rating was set.'),
  season,
  elo: integer('The rating: 1500 is average; 400 points more than the opponent mean odds of ten to one.'),
  current,
  date_of_entry: timestamp('When the rating was set.'),
  updated_at: timestamp('When the row last changed.'),
  deleted,
}

/** The columns of a player that a roster leaves out (specification §2). */
export const playerColumnsNotInRoster = ['college', 'draft_year', 'draft_round', 'draft_number'] as const

const player = {
  player_id: key('Identifies the player.'),
  first_name: text('First name.'),
  last_name: text('Last name.'),
  position: text('Position, in the sport’s usual abbreviation.'),
  height: text('Height in feet and inches, `6-4`.'),
  weight: number('Weight in pounds; null if unknown.'),
  number: text('Shirt number.'),
  hometown: text('Home town; null if unknown.'),
  guid,
  deleted,
  college: text('The college that the player played for first; null if none.'),
  draft_year: integer('Year of the draft; null for an undrafted player.'),
  draft_round: integer('Round of the draft; null for an undrafted player.'),
  draft_number: integer('Pick in the draft; null for an undrafted player.'),
}

const player_team_season = {
  player_team_season_id: key('Identifies the player’s season.'),
  player_id,
  team_id,
  season,
  guid,
  deleted,
}

const cbb_transfer_player_season = {
  cbb_transfer_player_season_id: key('Identifies the transfer.'),
  player_id,
  season: integer('The season before which the player changes teams.'),
  committed_team_id: foreign('team', 'The team that the player has committed to; null while undecided.'),
  committed: flag('Whether the player has committed to a team.'),
  guid,
  deleted,
}

/** The specification shows a coach only as a search result (§2, field gaps). */
const coach = {
  coach_id: key('Identifies the coach.'),
  first_name: text('First name.'),
  last_name: text('Last name.'),
  guid,
  deleted,
}

/** The specification shows no column of a conference but its key (§2, field gaps). */
const conference = {
  conference_id: key('Identifies the conference.'),
  organization_id,
  division_id,
  code: text('Short code.'),
  name: text('Name.'),
  guid,
  deleted,
}

const boxscore = {
  boxscore_id: key('Identifies the boxscore.'),
  organization_id,
  division_id,
  game_id,
  team_id,
  season,
  sport_boxscore_id: text('Key of the row’s sport part.'),
  final: flag('Whether the statistics are final.'),
  deleted,
}

const player_boxscore = {
  player_boxscore_id: key('Identifies the player’s boxscore.'),
  organization_id,
  division_id,
  game_id,
  team_id,
  player_id,
  season,
  sport_player_boxscore_id: text('Key of the row’s sport part.'),
  final: flag('Whether the statistics are final.'),
  deleted,
  first_name: text('First name.'),
  last_name: text('Last name.'),
  position: text('Position, in the sport’s usual abbreviation.'),
}

const ranked = {
  season,
  date_of_rank: timestamp('The day of the row: it covers all games up to this day.'),
  current,
  deleted,
}

/**
 * The only class of statistics whose identifying columns the specification lists completely: without
 * organization and division.
 */
const statistic_ranking = { statistic_ranking_id: key('Identifies the row.'), ...ranked, team_id }

const ranking = { organization_id, division_id, ...ranked }

const player_statistic_ranking = {
  player_statistic_ranking_id: key('Identifies the row.'),
  ...ranking,
  team_id,
  player_id,
  sport_player_statistic_id: text('Key of the row’s sport part.'),
  career: flag('Whether the row covers the whole career.'),
  career_active: flag('Whether the player is still active.'),
}

const coach_statistic_ranking = {
  coach_statistic_ranking_id: key('Identifies the row.'),
  ...ranking,
  coach_id: foreign('coach', 'The coach that the row belongs to.'),
}

const conference_id = foreign('conference', 'The conference that the row belongs to.')

const conference_statistic_ranking = {
  conference_statistic_ranking_id: key('Identifies the row.'),
  ...ranking,
  conference_id,
}

const league_statistic_ranking = { league_statistic_ranking_id: key('Identifies the row.'), ...ranking }

const conference_player_statistic_ranking = {
  conference_player_statistic_ranking_id: key('Identifies the row.'),
  ...ranking,
  conference_id,
}

const league_player_statistic_ranking = {
  league_player_statistic_ranking_id: key('Identifies the row.'),
  ...ranking,
}

/** The columns of each table that every sport shares. */
export const tables = {
  organization,
  division,
  team,
  game,
  prediction,
  odds,
  elo,
  player,
  player_team_season,
  cbb_transfer_player_season,
  coach,
  conference,
  boxscore,
  player_boxscore,
  statistic_ranking,
  player_statistic_ranking,
  coach_statistic_ranking,
  conference_statistic_ranking,
  league_statistic_ranking,
  conference_player_statistic_ranking,
  league_player_statistic_ranking,
} satisfies Readonly<Record<string, Columns>>

export type TableName = keyof typeof tables
export type Row<T extends TableName> = RowOf<(typeof tables)[T]>

export const tableNames = Object.keys(tables) as readonly TableName[] // Object.keys loses the names; they are exactly these

/** The column that identifies a table's rows. */
export const keyOf = (table: TableName) => `${table}_id`

export type StatisticClass = Extract<TableName, `${string}statistic_ranking`>

export const isStatisticClass = (table: TableName): table is StatisticClass =>
  table.endsWith('statistic_ranking')

export const statisticClasses = tableNames.filter(isStatisticClass)

/** The classes of statistics beside the teams' own. */
export const otherStatisticClasses = statisticClasses.filter((table) => table !== 'statistic_ranking')

/** The sport's columns of a row, in addition to the table's own (§2). */
export const sportColumns = {
  football_boxscore: {
    football_boxscore_id: text('Key of the row’s football part.'),
    ...numbers(footballLine, (name) => `${describeStatistic(name)}.`),
  },
  basketball_boxscore: {
    basketball_boxscore_id: text('Key of the row’s basketball part.'),
    ...numbers(basketballLine, (name) => `${describeStatistic(name)}.`),
  },
  basketball_player_boxscore: {
    basketball_player_boxscore_id: text('Key of the row’s basketball part.'),
    ...numbers(basketballLine, (name) => `${describeStatistic(name)}.`),
  },
  basketball_player_statistic: {
    basketball_player_statistic_id: text('Key of the row’s basketball part.'),
  },
} satisfies Readonly<Record<string, Columns>>
