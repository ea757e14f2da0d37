import type { Progress } from '../league/publish.ts'
import type { Line } from '../numbers/line.ts'
import { boxOf, team_box } from './football-boxscores.ts'
import type { TeamBox } from './football-boxscores.ts'
import { countsOf, isNumbered, player_box } from './football-players.ts'
import { checkSide } from './sides.ts'
import type { Sides } from './sides.ts'
import { mostAttendance } from './source-row.ts'
import type { SourceRow } from './source-row.ts'
import { statusOf } from './status.ts'
import type { GameStatus } from './status.ts'
import { SourceFolder } from './source-folder.ts'
import type { FolderOptions, ReadTable } from './source-folder.ts'

export interface CfbTeam {
  readonly id: string
  readonly name: string
  readonly abbreviation: string
}

export interface CfbGame {
  readonly game_id: string
  readonly season: number
  /** The day in the eastern United States, `YYYY-MM-DD`. */
  readonly day: string
  /** The start, ISO 8601 UTC with milliseconds; null if the source has only the day. */
  readonly start: string | null
  /** Null if the source does not say. */
  readonly neutral_site: boolean | null
  readonly conference: boolean
  readonly home: CfbTeam
  readonly away: CfbTeam
  readonly home_score: number | null
  readonly away_score: number | null
  readonly attendance: number | null
  readonly said: GameStatus | null
}

/** One player’s statistics of one game, by category. */
export interface Athlete {
  readonly game_id: string
  readonly team_id: string
  readonly athlete_id: string
  readonly name: string
  readonly jersey: string
  readonly lines: Line[]
}

export interface BettingLine {
  readonly game_id: string
  readonly home_spread: number | null
  readonly total: number | null
  /** A placeholder in place of a line. */
  readonly filler: boolean
}

/** The files of a season. Only the schedule is required. */
export interface CfbTables {
  readonly schedule: readonly CfbGame[]
  readonly boxes: readonly TeamBox[]
  readonly athletes: readonly Athlete[]
  readonly lines: readonly BettingLine[]
  /** Passing rows that use numbered columns instead of named ones. */
  readonly numbered: number
  /** The number of rows in categories unknown to this service, by category. */
  readonly unknown: ReadonlyMap<string, number>
  /** The conference of each team by its name; null without a file of conferences. */
  readonly conferences: ReadonlyMap<string, string> | null
  readonly read: readonly ReadTable[]
}

const schedule = {
  name: 'schedule',
  columns: [
    'game_id',
    'season',
    'game_date',
    'neutral_site',
    'conference_competition',
    'attendance',
    'status',
    'home_id',
    'away_id',
    'home_team',
    'away_team',
    'home_abbreviation',
    'away_abbreviation',
    'home_score',
    'away_score',
  ],
  optional: [
    'neutral_site',
    'conference_competition',
    'attendance',
    'status',
    'home_abbreviation',
    'away_abbreviation',
  ],
  season: 'season',
  unique: { columns: ['game_id'], second: 'fault' },
} as const

const betting = {
  name: 'betting',
  columns: ['game_id', 'season', 'home_team_spread', 'over_under', 'game_spread_available'],
  optional: ['season', 'home_team_spread', 'over_under', 'game_spread_available'],
  season: 'season',
  unique: { columns: ['game_id'], second: 'fault' },
} as const

const conferences = {
  name: 'conferences',
  columns: ['team_id', 'conference', 'season'],
  optional: ['season'],
  season: 'season',
  unique: { columns: ['team_id'], second: 'fault' },
} as const

/** @throws {ImportFailed} if a file is truncated, not the expected one, or contradicts itself */
export async function readCfbTables(
  path: string,
  progress: Progress,
  options: FolderOptions = {},
): Promise<CfbTables> {
  const folder = new SourceFolder(path, progress, options)
  const games: CfbGame[] = []
  const boxes: TeamBox[] = []
  const lines: BettingLine[] = []
  const byTeam = new Map<string, string>()
  await folder.table(schedule, (row) => games.push(gameOf(row)))
  const sides = new Map(games.map(({ game_id, home, away }) => [game_id, [home.id, away.id]]))
  await folder.tableIfThere(team_box, (row) => {
    checkSide(row, sides)
    boxes.push(boxOf(row))
  })
  await folder.tableIfThere(betting, (row) => lines.push(lineOf(row)))
  const players = await readPlayers(folder, sides)
  const listed = await folder.tableIfThere(conferences, (row) =>
    byTeam.set(row.required('team_id'), row.text('conference')),
  )
  return { schedule: games, boxes, lines, ...players, conferences: listed && byTeam, read: folder.read }
}

async function readPlayers(folder: SourceFolder, sides: Sides) {
  const athletes = new Map<string, Athlete>()
  const unknown = new Map<string, number>()
  let numbered = 0
  await folder.tableIfThere(player_box, (row) => {
    checkSide(row, sides)
    const counts = countsOf(row)
    if (!counts) return void unknown.set(row.text('category'), (unknown.get(row.text('category')) ?? 0) + 1)
    if (isNumbered(row)) numbered += 1
    const key = `${row.required('game_id')} ${row.required('athlete_id')}`
    const athlete = athletes.get(key)
    if (athlete) athlete.lines.push(counts)
    else athletes.set(key, { ...athleteOf(row), lines: [counts] })
  })
  return { athletes: [...athletes.values()], numbered, unknown }
}

type RowOf<S extends { columns: readonly string[] }> = SourceRow<S['columns'][number]>

function gameOf(row: RowOf<typeof schedule>): CfbGame {
  const [home, away] = [row.required('home_id'), row.required('away_id')]
  if (home === away) throw row.fault('away_id', `is the home team: ${JSON.stringify(away)}`)
  const season = row.year('season')
  const { day, start } = row.moment('game_date')
  if (Math.abs(Number(day.slice(0, 4)) - season) > 1)
    throw row.fault('game_date', `is not in season ${season}: ${day}`)
  return {
    game_id: row.required('game_id'),
    season,
    day,
    start,
    neutral_site: row.flag('neutral_site'),
    conference: row.flag('conference_competition') === true,
    home: { id: home, name: row.required('home_team'), abbreviation: row.text('home_abbreviation') },
    away: { id: away, name: row.required('away_team'), abbreviation: row.text('away_abbreviation') },
    home_score: row.score('home_score'),
    away_score: row.score('away_score'),
    // The source writes 0 for an unknown attendance.
    attendance: row.count('attendance', mostAttendance) || null,
    said: statusOf(row.text('status')),
  }
}

const lineOf = (row: RowOf<typeof betting>): BettingLine => ({
  game_id: row.required('game_id'),
  home_spread: row.number('home_team_spread'),
  total: row.number('over_under'),
  filler: row.flag('game_spread_available') === false,
})

const athleteOf = (row: SourceRow<(typeof player_box.columns)[number]>) => ({
  game_id: row.required('game_id'),
  team_id: row.required('team_id'),
  athlete_id: row.required('athlete_id'),
  name: row.text('athlete_name'),
  jersey: row.text('jersey'),
})
