import type { Sent } from './recorder.ts'

const league = ['organization_id', 'division_id']
const stats = [
  ...league,
  'season',
  'team_id',
  'player_id',
  'coach_id',
  'conference_id',
  'current',
  'date_of_rank',
  'career',
  'career_active',
]

/** The arguments of each operation by the specification (§4), copied from its table and not from the code. */
const named: Readonly<Record<string, readonly string[]>> = {
  'search/search': ['name', ...league, 'team', 'player', 'coach'],
  'organization/read': ['inactive'],
  'division/read': ['inactive'],
  'game/getGames': [...league, 'start_date'],
  'game/getScores': [...league, 'start_date', 'season', 'home_team_id', 'away_team_id'],
  'team/getStats': [...league, 'team_id', 'season'],
  'team/getPlayers': ['organization_id', 'team_id', 'season'],
  'player/getGameLogs': [...league, 'player_id', 'season'],
  'player/getSeasons': ['player_id'],
  'boxscore/getBoxscore': ['organization_id', 'game_id', 'team_id'],
  'boxscore/readBoxscore': ['organization_id', 'game_id', 'team_id', 'season'],
  'player_boxscore/getPlayerBoxscore': ['player_boxscore_id', 'organization_id', 'game_id', 'player_id'],
  'elo/read': [...league, 'team_id', 'season', 'current', 'elo_id'],
  'odds/read': ['game_id', 'odds_id'],
  'conference/getConferencePrediction': ['organization_id', 'conference_id', 'season'],
  'cbb_transfer_player_season/read': ['season', 'player_id', 'cbb_transfer_player_season_id'],
}

/** For operations whose filters it does not list: the id columns of the table, and the season. */
const idColumns: Readonly<Record<string, readonly string[]>> = {
  game: [...league, 'away_team_id', 'home_team_id', 'season'],
  team: ['conference_id'],
  player: [],
  coach: [],
  conference: league,
  odds: ['game_id'],
  elo: [...league, 'team_id', 'game_id', 'season', 'current'],
  boxscore: [...league, 'game_id', 'team_id', 'season'],
  player_boxscore: [...league, 'game_id', 'team_id', 'player_id', 'season'],
  cbb_transfer_player_season: ['player_id', 'season'],
}

function specifiedFor(operation: string): readonly string[] {
  const exact = named[operation]
  if (exact) return exact
  const [table = '', name = ''] = operation.split('/')
  if (name === 'getStats' && table.endsWith('statistic_ranking')) return stats
  if (name === 'get' || name === 'read') return [`${table}_id`, ...(idColumns[table] ?? [])]
  return []
}

/** The arguments among those sent that the specification does not name, each as `team/read colour`. */
export const unspecified = (sent: readonly Sent[]): string[] =>
  sent.flatMap(({ operation, arguments: values }) =>
    Object.keys(values)
      .filter((name) => !specifiedFor(operation).includes(name))
      .map((name) => `${operation} ${name}`),
  )
