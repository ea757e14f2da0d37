import type { Progress } from '../league/publish.ts'
import type { Line } from '../numbers/line.ts'
import { readAliases } from './aliases.ts'
import { boxColumns, lineOf } from './basketball-lines.ts'
import { mostGames } from './source-row.ts'
import type { SourceRow } from './source-row.ts'
import { statusOf } from './status.ts'
import type { GameStatus } from './status.ts'
import { SourceFolder } from './source-folder.ts'
import type { FolderOptions, ReadTable } from './source-folder.ts'

export interface ScheduledGame {
  readonly contest_id: string
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** ISO 8601 UTC; null if the source has only the day. */
  readonly start: string | null
  readonly home: string
  readonly away: string
  readonly home_score: number | null
  readonly away_score: number | null
  readonly season: number
  /** The source’s word for it, in a column of its own or in place of a score. */
  readonly said: GameStatus | null
}

/** One side’s boxscore of a game. Teams from outside Division I have no ids. */
export interface SideBox {
  readonly contest_id: string
  readonly team: string
  readonly espn_team_id: string
  readonly ncaa_team_id: string
  readonly line: Line
}

export interface NcaaTeam {
  readonly id: string
  readonly team: string
  readonly conference: string
}

export interface NcaaPlayer {
  readonly player_id: string
  readonly team_id: string
  readonly name: string
  readonly jersey: string
  readonly position: string
  readonly height: string
  readonly hometown: string
  readonly games: number | null
}

/** The files of a season. Only the schedule is required. */
export interface NcaaTables {
  readonly schedule: readonly ScheduledGame[]
  readonly boxes: readonly SideBox[]
  /** Null without a list of the division’s teams. */
  readonly teams: readonly NcaaTeam[] | null
  readonly players: readonly NcaaPlayer[]
  /** The spellings of the folder’s own file. */
  readonly aliases: ReadonlyMap<string, string>
  readonly read: readonly ReadTable[]
}

const schedule = {
  name: 'schedule',
  columns: ['contest_id', 'game_date', 'home', 'away', 'home_score', 'away_score', 'season', 'status'],
  optional: ['status'],
  season: 'season',
  unique: { columns: ['contest_id'], second: 'fault' },
} as const

const team_box = {
  name: 'team_box',
  columns: ['contest_id', 'team', 'season', 'team_espn_team_id', 'team_ncaa_team_id', ...boxColumns],
  optional: ['season', 'team_espn_team_id', 'team_ncaa_team_id', ...boxColumns],
  season: 'season',
  unique: { columns: ['contest_id', 'team'], second: 'fault' },
} as const

const team_ids = {
  name: 'team_ids',
  columns: ['team', 'conference', 'id', 'season'],
  optional: ['conference', 'season'],
  season: 'season',
  unique: { columns: ['team'], second: 'fault' },
} as const

const rosterCells = ['clean_name', 'name', 'jersey', 'position', 'height', 'hometown', 'gp'] as const

const team_rosters = {
  name: 'team_rosters',
  columns: ['team_id', 'player_id', 'season', ...rosterCells],
  optional: ['season', ...rosterCells],
  season: 'season',
  unique: { columns: ['player_id'], second: 'left out' },
} as const

/** @throws {ImportFailed} if a file is truncated, not the expected one, or contradicts itself */
export async function readNcaaTables(
  path: string,
  progress: Progress,
  options: FolderOptions = {},
): Promise<NcaaTables> {
  const folder = new SourceFolder(path, progress, options)
  const games: ScheduledGame[] = []
  const boxes: SideBox[] = []
  const teams: NcaaTeam[] = []
  const players: NcaaPlayer[] = []
  await folder.table(schedule, (row) => games.push(scheduledGame(row)))
  await folder.tableIfThere(team_box, (row) => boxes.push(sideBox(row)))
  const listed = await folder.tableIfThere(team_ids, (row) => teams.push(ncaaTeam(row)))
  await folder.tableIfThere(team_rosters, (row) => players.push(ncaaPlayer(row)))
  const aliases = await readAliases(folder)
  return { schedule: games, boxes, teams: listed && teams, players, aliases, read: folder.read }
}

type RowOf<S extends { columns: readonly string[] }> = SourceRow<S['columns'][number]>

function scheduledGame(row: RowOf<typeof schedule>): ScheduledGame {
  const [home, away] = [row.required('home'), row.required('away')]
  if (home === away) throw row.fault('away', `is the home team: ${JSON.stringify(away)}`)
  const season = row.year('season')
  const { day, start } = row.moment('game_date')
  if (Math.abs(Number(day.slice(0, 4)) - season) > 1)
    throw row.fault('game_date', `is not in season ${season}: ${day}`)
  const said =
    statusOf(row.text('status')) ?? statusOf(row.text('home_score')) ?? statusOf(row.text('away_score'))
  return {
    contest_id: row.required('contest_id'),
    day,
    start,
    home,
    away,
    home_score: scoreOf(row, 'home_score'),
    away_score: scoreOf(row, 'away_score'),
    season,
    said,
  }
}

/** The source writes `Canceled` or `Ppd` in place of a score. */
const scoreOf = (row: RowOf<typeof schedule>, column: 'home_score' | 'away_score') =>
  statusOf(row.text(column)) === null ? row.score(column) : null

const sideBox = (row: RowOf<typeof team_box>): SideBox => ({
  contest_id: row.required('contest_id'),
  team: row.required('team'),
  espn_team_id: row.text('team_espn_team_id'),
  ncaa_team_id: row.text('team_ncaa_team_id'),
  line: lineOf(row),
})

const ncaaTeam = (row: RowOf<typeof team_ids>): NcaaTeam => ({
  id: row.required('id'),
  team: row.required('team'),
  conference: row.text('conference'),
})

const ncaaPlayer = (row: RowOf<typeof team_rosters>): NcaaPlayer => ({
  player_id: row.required('player_id'),
  team_id: row.required('team_id'),
  name: row.text('clean_name') || row.text('name'),
  jersey: row.text('jersey'),
  position: row.text('position'),
  height: row.text('height'),
  hometown: row.text('hometown'),
  games: row.count('gp', mostGames),
})
