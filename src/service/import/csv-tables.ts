import type { Progress } from '../league/publish.ts'
import type { Sport } from '../numbers/rules.ts'
import { boxOf } from './csv-boxscores.ts'
import type { CsvBox } from './csv-boxscores.ts'
import {
  games,
  odds,
  player_boxscores,
  playerColumns,
  players,
  team_boxscores,
  teamColumns,
  teams,
} from './csv-columns.ts'
import { mostAttendance, mostGames } from './source-row.ts'
import type { SourceRow } from './source-row.ts'
import { statusOf } from './status.ts'
import type { GameStatus } from './status.ts'
import { SourceFolder } from './source-folder.ts'
import type { FolderOptions, ReadTable } from './source-folder.ts'

export interface CsvTeam {
  readonly team_id: string
  readonly name: string
  readonly full_name: string
  readonly abbreviation: string
  readonly conference: string
  readonly primary_color: string
  readonly secondary_color: string
  readonly member: boolean
}

export interface CsvGame {
  readonly game_id: string
  readonly season: number
  readonly day: string
  readonly start: string | null
  readonly home: string
  readonly away: string
  readonly home_score: number | null
  readonly away_score: number | null
  readonly said: GameStatus | null
  /** A status that is not known; else empty. */
  readonly unknown: string
  readonly neutral_site: boolean | null
  /** Null: decided by the teams’ conferences. */
  readonly conference: boolean | null
  readonly attendance: number | null
  readonly network: string | null
}

export interface CsvPlayer {
  readonly player_id: string
  readonly team_id: string
  readonly name: string
  readonly position: string
  readonly height: string
  readonly number: string
  readonly hometown: string
  readonly games: number | null
}

export interface CsvPlayerBox extends CsvBox {
  readonly player_id: string
  readonly name: string
}

export interface CsvOdds {
  readonly game_id: string
  readonly date: string | null
  readonly spread_home: number | null
  readonly over: number | null
  readonly under: number | null
  readonly money_line_home: number | null
  readonly money_line_away: number | null
}

/** A season in the format of docs/csv-format.md. */
export interface CsvTables {
  readonly teams: readonly CsvTeam[]
  readonly games: readonly CsvGame[]
  readonly players: readonly CsvPlayer[]
  readonly boxes: readonly CsvBox[]
  readonly playerBoxes: readonly CsvPlayerBox[]
  readonly odds: readonly CsvOdds[]
  readonly read: readonly ReadTable[]
}

/** @throws {ImportFailed} if a file is truncated, not the expected one, or contradicts itself */
export async function readOwnTables(
  path: string,
  sport: Sport,
  progress: Progress,
  options: FolderOptions = {},
): Promise<CsvTables> {
  const folder = new SourceFolder(path, progress, options)
  const found = {
    games: [] as CsvGame[],
    teams: [] as CsvTeam[],
    players: [] as CsvPlayer[],
    boxes: [] as CsvBox[],
    playerBoxes: [] as CsvPlayerBox[],
    odds: [] as CsvOdds[],
  }
  const [team, player] = [teamColumns[sport], playerColumns[sport]]
  await folder.table(games, (row) => found.games.push(gameOf(row)))
  await folder.table(teams, (row) => found.teams.push(teamOf(row)))
  const known = new Set(found.teams.map(({ team_id }) => team_id))
  const sides = new Map(found.games.map(({ game_id, home, away }) => [game_id, [home, away]]))
  await folder.tableIfThere(players, (row) => found.players.push(playerOf(row, known)))
  await folder.tableIfThere(team_boxscores(team), (row) => found.boxes.push(boxOf(row, team, sport, sides)))
  await folder.tableIfThere(player_boxscores(player), (row) =>
    found.playerBoxes.push({
      ...boxOf(row, player, sport, sides),
      player_id: row.required('player_id'),
      name: row.text('name'),
    }),
  )
  await folder.tableIfThere(odds, (row) => found.odds.push(oddsOf(row)))
  return { ...found, read: folder.read }
}

type RowOf<S extends { columns: readonly string[] }> = SourceRow<S['columns'][number]>

const teamOf = (row: RowOf<typeof teams>): CsvTeam => ({
  team_id: row.required('team_id'),
  name: row.required('name'),
  full_name: row.text('full_name'),
  abbreviation: row.text('abbreviation'),
  conference: row.text('conference'),
  primary_color: row.text('primary_color'),
  secondary_color: row.text('secondary_color'),
  member: row.flag('member') ?? true,
})

function gameOf(row: RowOf<typeof games>): CsvGame {
  const [home, away] = [row.required('home_team_id'), row.required('away_team_id')]
  if (home === away) throw row.fault('away_team_id', `is the home team: ${JSON.stringify(away)}`)
  const season = row.year('season')
  const { day, start } = row.moment('date')
  if (Math.abs(Number(day.slice(0, 4)) - season) > 1)
    throw row.fault('date', `is not in season ${season}: ${day}`)
  const [word, said] = [row.text('status'), statusOf(row.text('status'))]
  return {
    game_id: row.required('game_id'),
    season,
    day,
    start,
    home,
    away,
    home_score: row.score('home_score'),
    away_score: row.score('away_score'),
    said,
    unknown: said === null ? word : '',
    neutral_site: row.flag('neutral_site'),
    conference: row.flag('conference_game'),
    attendance: row.count('attendance', mostAttendance),
    network: row.text('network') || null,
  }
}

function playerOf(row: RowOf<typeof players>, teams: ReadonlySet<string>): CsvPlayer {
  const team_id = row.required('team_id')
  if (!teams.has(team_id)) throw row.fault('team_id', `is not in teams: ${JSON.stringify(team_id)}`)
  return {
    player_id: row.required('player_id'),
    team_id,
    name: row.required('name'),
    position: row.text('position'),
    height: row.text('height'),
    number: row.text('number'),
    hometown: row.text('hometown'),
    games: row.count('games', mostGames),
  }
}

const oddsOf = (row: RowOf<typeof odds>): CsvOdds => ({
  game_id: row.required('game_id'),
  date: row.time('date') || null,
  spread_home: row.number('spread_home'),
  over: row.number('over'),
  under: row.number('under'),
  money_line_home: row.number('money_line_home'),
  money_line_away: row.number('money_line_away'),
})
