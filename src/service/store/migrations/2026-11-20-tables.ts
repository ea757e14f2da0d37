import type { Migration } from 'kysely'
import type { Dialect } from '../connection.ts'
import { createIndexes, createTable } from './definition.ts'
import type { Definition } from './definition.ts'

/** The specified tables as they were on that day. Each has the key `<table>_id`. */
const specified: Readonly<Record<string, string>> = {
  organization: `
    organization_id text, code text, name text, guid text, inactive integer, deleted integer`,
  division: `
    division_id text, code text, name text, guid text, inactive integer, deleted integer`,
  team: `
    team_id text, char6 text, code text, name text, alt_name text, primary_color text,
    secondary_color text, guid text, deleted integer, folded text`,
  game: `
    game_id text, organization_id text, division_id text, season bigint, away_team_id text,
    home_team_id text, network text, away_score bigint, home_score bigint, status text,
    current_period text, clock text, clock_last_updated_at text, start_date text, start_datetime text,
    start_timestamp bigint, updated_at text, attendance bigint, neutral_site integer,
    is_conf_game integer, boxscore integer, guid text, deleted integer`,
  prediction: `
    prediction_id text, game_id text, season bigint, home_percentage double precision,
    away_percentage double precision, home_score bigint, away_score bigint, live integer,
    current integer, date_of_entry text, guid text, deleted integer`,
  odds: `
    odds_id text, game_id text, money_line_away double precision, money_line_home double precision,
    spread_away double precision, spread_home double precision, over double precision,
    under double precision, date_of_entry text, live integer, current integer, deleted integer`,
  elo: `
    elo_id text, organization_id text, division_id text, team_id text, game_id text, season bigint,
    elo bigint, current integer, date_of_entry text, updated_at text, deleted integer`,
  player: `
    player_id text, first_name text, last_name text, position text, height text,
    weight double precision, number text, hometown text, guid text, deleted integer, college text,
    draft_year bigint, draft_round bigint, draft_number bigint, folded text`,
  player_team_season: `
    player_team_season_id text, player_id text, team_id text, season bigint, guid text, deleted integer`,
  cbb_transfer_player_season: `
    cbb_transfer_player_season_id text, player_id text, season bigint, committed_team_id text,
    committed integer, guid text, deleted integer`,
  coach: `
    coach_id text, first_name text, last_name text, guid text, deleted integer, folded text`,
  conference: `
    conference_id text, organization_id text, division_id text, code text, name text, guid text,
    deleted integer`,
  boxscore: `
    boxscore_id text, organization_id text, division_id text, game_id text, team_id text,
    season bigint, sport_boxscore_id text, final integer, deleted integer, line text`,
  player_boxscore: `
    player_boxscore_id text, organization_id text, division_id text, game_id text, team_id text,
    player_id text, season bigint, sport_player_boxscore_id text, final integer, deleted integer,
    first_name text, last_name text, position text, line text`,
  statistic_ranking: `
    statistic_ranking_id text, organization_id text, division_id text, season bigint,
    date_of_rank text, current integer, deleted integer, team_id text, line text`,
  player_statistic_ranking: `
    player_statistic_ranking_id text, organization_id text, division_id text, season bigint,
    date_of_rank text, current integer, deleted integer, team_id text, player_id text,
    sport_player_statistic_id text, career integer, career_active integer, line text`,
  coach_statistic_ranking: `
    coach_statistic_ranking_id text, organization_id text, division_id text, season bigint,
    date_of_rank text, current integer, deleted integer, coach_id text, line text`,
  conference_statistic_ranking: `
    conference_statistic_ranking_id text, organization_id text, division_id text, season bigint,
    date_of_rank text, current integer, deleted integer, conference_id text, line text`,
  league_statistic_ranking: `
    league_statistic_ranking_id text, organization_id text, division_id text, season bigint,
    date_of_rank text, current integer, deleted integer, line text`,
  conference_player_statistic_ranking: `
    conference_player_statistic_ranking_id text, organization_id text, division_id text, season bigint,
    date_of_rank text, current integer, deleted integer, conference_id text, line text`,
  league_player_statistic_ranking: `
    league_player_statistic_ranking_id text, organization_id text, division_id text, season bigint,
    date_of_rank text, current integer, deleted integer, line text`,
}

/** The service's own. */
const internal: Readonly<Record<string, Definition>> = {
  membership: {
    columns: 'team_id text, organization_id text, division_id text, season bigint, conference_id text',
    key: ['team_id', 'season', 'organization_id', 'division_id'],
  },
  coach_season: {
    columns: 'coach_id text, team_id text, season bigint',
    key: ['coach_id', 'team_id', 'season'],
  },
  league: {
    columns: `organization_id text, division_id text, sport text, source text, fingerprint text,
      published_at text`,
    key: ['organization_id', 'division_id'],
  },
  meta: { columns: 'key text, value text', key: ['key'] },
}

const byLeague = 'organization_id, division_id, season, current, date_of_rank'

/**
 * The columns that each documented filter goes by (specification §4), so that the cost of a request follows
 * from its answer and not from the table.
 */
const indexes: Readonly<Record<string, readonly string[]>> = {
  game: [
    'organization_id, division_id, start_date',
    'organization_id, division_id, season',
    'home_team_id, season',
    'away_team_id, season',
  ],
  prediction: ['game_id, current, live'],
  odds: ['game_id, current, live'],
  elo: ['team_id, season, current', 'organization_id, division_id, season, current', 'game_id'],
  player_team_season: ['player_id, season', 'team_id, season'],
  cbb_transfer_player_season: ['season', 'player_id, season', 'committed_team_id, season'],
  conference: ['organization_id, division_id'],
  boxscore: ['game_id, team_id', 'team_id, season', 'organization_id, division_id, season'],
  player_boxscore: ['game_id, team_id', 'player_id, season', 'team_id, season'],
  statistic_ranking: ['team_id, season, current, date_of_rank', byLeague],
  player_statistic_ranking: [
    'player_id, career, season, current, date_of_rank',
    'team_id, season, current, date_of_rank',
    byLeague,
  ],
  coach_statistic_ranking: ['coach_id, season, current, date_of_rank', byLeague],
  conference_statistic_ranking: ['conference_id, season, current, date_of_rank', byLeague],
  league_statistic_ranking: [byLeague],
  conference_player_statistic_ranking: ['conference_id, season, current, date_of_rank', byLeague],
  league_player_statistic_ranking: [byLeague],
  membership: ['organization_id, division_id, season', 'conference_id, season'],
  coach_season: ['team_id, season'],
}

export const tables = (dialect: Dialect): Migration => ({
  async up(db) {
    for (const [name, columns] of Object.entries(specified))
      await createTable(db, dialect, name, { columns, key: [`${name}_id`] })
    for (const [name, definition] of Object.entries(internal))
      await createTable(db, dialect, name, definition)
    for (const [table, lists] of Object.entries(indexes)) await createIndexes(db, table, lists)
  },
})
