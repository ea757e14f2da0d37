import { basketballLine, footballLine } from '../../specification/statistics.ts'
import { footballPlayerLine } from '../../specification/sport-statistics.ts'
import type { Sport } from '../numbers/rules.ts'

// The files of a season in the format of docs/csv-format.md: their names, columns and unique columns.

const looks = [
  'full_name',
  'abbreviation',
  'conference',
  'primary_color',
  'secondary_color',
  'member',
] as const

export const teams = {
  name: 'teams',
  columns: ['team_id', 'name', 'season', ...looks],
  optional: ['season', ...looks],
  season: 'season',
  unique: { columns: ['team_id'], second: 'fault' },
} as const

const gameDetails = ['status', 'neutral_site', 'conference_game', 'attendance', 'network'] as const

export const games = {
  name: 'games',
  columns: [
    'game_id',
    'season',
    'date',
    'home_team_id',
    'away_team_id',
    'home_score',
    'away_score',
    ...gameDetails,
  ],
  optional: gameDetails,
  season: 'season',
  unique: { columns: ['game_id'], second: 'fault' },
} as const

const playerDetails = ['position', 'height', 'number', 'hometown', 'games'] as const

export const players = {
  name: 'players',
  columns: ['player_id', 'team_id', 'name', 'season', ...playerDetails],
  optional: ['season', ...playerDetails],
  season: 'season',
  unique: { columns: ['player_id'], second: 'left out' },
} as const

const prices = ['date', 'spread_home', 'over', 'under', 'money_line_home', 'money_line_away'] as const

export const odds = {
  name: 'odds',
  columns: ['game_id', 'season', ...prices],
  optional: ['season', ...prices],
  season: 'season',
  unique: { columns: ['game_id', 'date'], second: 'fault', moment: 'date' },
} as const

/** The columns of a team’s boxscore in a sport. */
export const teamColumns: Readonly<Record<Sport, readonly string[]>> = {
  basketball: basketballLine,
  football: footballLine,
}

/** The columns of a player’s boxscore in a sport. */
export const playerColumns: Readonly<Record<Sport, readonly string[]>> = {
  basketball: basketballLine,
  football: footballPlayerLine,
}

export const team_boxscores = (counted: readonly string[]) => ({
  name: 'team_boxscores',
  columns: ['game_id', 'team_id', 'season', ...counted],
  optional: ['season', ...counted],
  season: 'season',
  unique: { columns: ['game_id', 'team_id'], second: 'fault' as const },
})

export const player_boxscores = (counted: readonly string[]) => ({
  name: 'player_boxscores',
  columns: ['game_id', 'team_id', 'player_id', 'name', 'season', ...counted],
  optional: ['name', 'season', ...counted],
  season: 'season',
  unique: { columns: ['game_id', 'player_id'], second: 'left out' as const },
})
