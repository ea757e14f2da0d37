import type { TableName } from '../../src/specification/tables.ts'
import { keysIn, rowsIn } from '../json.ts'
import type { Json } from '../json.ts'
import type { Asked } from './recipe.ts'
import type { Subjects } from './subjects.ts'

/** The calls of recipes, as the specification writes them (§4). */

export const league = ({ organization_id, division_id }: Subjects) => ({ organization_id, division_id })
const season = (about: Subjects) => ({ ...league(about), season: about.season })

export const getGames = (about: Subjects, day = about.day): Asked => [
  'game/getGames',
  { ...league(about), start_date: day },
]

export const getScores = (about: Subjects, day = about.day): Asked => [
  'game/getScores',
  { ...league(about), start_date: day },
]

/** One row by its key, or rows by several keys. */
export const read = (table: TableName, ids: string | readonly string[]): Asked => [
  `${table}/read`,
  { [`${table}_id`]: ids },
]

export const readOdds = (games: string | readonly string[]): Asked => ['odds/read', { game_id: games }]

export const readBoxscore = ({ organization_id }: Subjects, games: string | readonly string[]): Asked => [
  'boxscore/readBoxscore',
  { organization_id, game_id: games },
]

export const playerLines = (game: string): Asked => ['player_boxscore/read', { game_id: game }]

export const teamStats = (about: Subjects, team = about.team): Asked => [
  'team/getStats',
  { ...season(about), team_id: team },
]

export const playerStats = (about: Subjects, player = about.player): Asked => [
  'player_statistic_ranking/getStats',
  { ...season(about), player_id: player, current: 1 },
]

export const careerStats = ({ organization_id, player }: Subjects): Asked => [
  'player_statistic_ranking/getStats',
  { organization_id, player_id: player, career: 1 },
]

/** The current row of a class for the identity. */
export const currentStats = (
  about: Subjects,
  name: TableName,
  identity: Readonly<Record<string, string>> = {},
): Asked => [`${name}/getStats`, { ...season(about), ...identity, current: 1 }]

export const roster = ({ organization_id, season: year }: Subjects, team: string): Asked => [
  'team/getPlayers',
  { organization_id, team_id: team, season: year },
]

export const currentElo = (about: Subjects, teams?: readonly string[]): Asked => [
  'elo/read',
  { ...season(about), current: 1, ...(teams && { team_id: teams }) },
]

export const eloHistory = (about: Subjects): Asked => ['elo/read', { ...season(about), team_id: about.team }]

/** A team's season of games, home and away. */
export const seasonGames = ({ season: year, team }: Subjects): Asked[] => [
  ['game/read', { season: year, home_team_id: team }],
  ['game/read', { season: year, away_team_id: team }],
]

export const seasonScores = (about: Subjects): Asked[] => [
  ['game/getScores', { ...season(about), home_team_id: about.team }],
  ['game/getScores', { ...season(about), away_team_id: about.team }],
]

export const gameLog = (about: Subjects): Asked => [
  'player/getGameLogs',
  { ...season(about), player_id: about.player },
]

export const seasonsOf = ({ player }: Subjects): Asked => ['player/getSeasons', { player_id: player }]

export const projection = ({ organization_id, conference, season: year }: Subjects): Asked => [
  'conference/getConferencePrediction',
  { organization_id, conference_id: conference ?? '', season: year },
]

export const download = (about: Subjects, type: string): Asked => [
  'ranking/download',
  { ...season(about), type },
]

export const search = (about: Subjects, name: string, group?: string): Asked => [
  'search/search',
  { ...league(about), name, ...(group && { [group]: 1 }) },
]

/** Both teams of games. */
export const teamsOf = (...answers: readonly Json[]): string[] => {
  const games = answers.flatMap(rowsIn)
  return [...new Set([...keysIn(games, 'home_team_id'), ...keysIn(games, 'away_team_id')])]
}

/** The keys in a column of an answer's rows. */
export const among = (answer: Json, column: string): string[] => keysIn(rowsIn(answer), column)

/** The day of a game's row. */
export const dayIn = (game: Json): string => String(game['start_date']).slice(0, 10)

/** The games of some days for which the service has boxscores. */
export const withBoxscore = (...days: readonly Json[]): string[] =>
  keysIn(
    days.flatMap(rowsIn).filter((game) => game['boxscore'] === 1),
    'game_id',
  )
