import type { TableName } from '../../specification/tables.ts'

type Internal = 'membership' | 'coach_season'

const byLeague = ['organization_id', 'division_id', 'season', 'current', 'date_of_rank']

/**
 * The columns that each documented filter goes by (specification §4), so that a request costs what its answer
 * costs, however large the table. Every table has its key besides.
 */
export const indexes: Readonly<Partial<Record<TableName | Internal, readonly (readonly string[])[]>>> = {
  game: [
    ['organization_id', 'division_id', 'start_date'],
    ['organization_id', 'division_id', 'season'],
    ['home_team_id', 'season'],
    ['away_team_id', 'season'],
  ],
  prediction: [['game_id', 'current', 'live']],
  odds: [['game_id', 'current', 'live']],
  elo: [
    ['team_id', 'season', 'current'],
    ['organization_id', 'division_id', 'season', 'current'],
    ['game_id'],
  ],
  player_team_season: [
    ['player_id', 'season'],
    ['team_id', 'season'],
  ],
  cbb_transfer_player_season: [['season'], ['player_id', 'season'], ['committed_team_id', 'season']],
  conference: [['organization_id', 'division_id']],
  boxscore: [
    ['game_id', 'team_id'],
    ['team_id', 'season'],
    ['organization_id', 'division_id', 'season'],
  ],
  player_boxscore: [
    ['game_id', 'team_id'],
    ['player_id', 'season'],
    ['team_id', 'season'],
  ],
  statistic_ranking: [['team_id', 'season', 'current', 'date_of_rank'], byLeague],
  player_statistic_ranking: [
    ['player_id', 'career', 'season', 'current', 'date_of_rank'],
    ['team_id', 'season', 'current', 'date_of_rank'],
    byLeague,
  ],
  coach_statistic_ranking: [['coach_id', 'season', 'current', 'date_of_rank'], byLeague],
  conference_statistic_ranking: [['conference_id', 'season', 'current', 'date_of_rank'], byLeague],
  league_statistic_ranking: [byLeague],
  conference_player_statistic_ranking: [['conference_id', 'season', 'current', 'date_of_rank'], byLeague],
  league_player_statistic_ranking: [byLeague],
  membership: [
    ['organization_id', 'division_id', 'season'],
    ['conference_id', 'season'],
  ],
  coach_season: [['team_id', 'season']],
}
