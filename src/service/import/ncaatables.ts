import type { Line } from '../league/facts.ts'
import type { Progress } from '../league/publish.ts'
import { shootingPercentages } from '../numbers/basketball.ts'
import { difference, sum } from '../numbers/tally.ts'
import type { SourceRow } from './record.ts'
import { readTable } from './table.ts'
import type { ReadTable } from './table.ts'

export interface ScheduledGame {
  readonly contest_id: string
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly home: string
  readonly away: string
  readonly home_score: number | null
  readonly away_score: number | null
  readonly season: number
}

/** One side’s boxscore of one game. Teams from outside Division I have no ids. */
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

/** The four files of a season as they stand. */
export interface NcaaTables {
  readonly schedule: readonly ScheduledGame[]
  readonly boxes: readonly SideBox[]
  readonly teams: readonly NcaaTeam[]
  readonly players: readonly NcaaPlayer[]
  readonly read: readonly ReadTable[]
}

const schedule = {
  name: 'schedule',
  columns: ['contest_id', 'game_date', 'home', 'away', 'home_score', 'away_score', 'season'],
} as const

const counted = ['pts', 'fga', 'fgm', 'tpa', 'tpm', 'fta', 'ftm', 'orb', 'drb', 'blk', 'to', 'ast'] as const
const team_box = {
  name: 'team_box',
  columns: ['contest_id', 'team', 'mins', 'team_espn_team_id', 'team_ncaa_team_id', ...counted],
} as const

const team_ids = { name: 'team_ids', columns: ['team', 'conference', 'id'] } as const

const team_rosters = {
  name: 'team_rosters',
  columns: ['team_id', 'player_id', 'clean_name', 'jersey', 'position', 'height', 'hometown', 'gp'],
} as const

/** @throws {ImportFailed} where a file is missing, cut off or another than it should be */
export async function readNcaaTables(folder: string, progress: Progress): Promise<NcaaTables> {
  const games: ScheduledGame[] = []
  const boxes: SideBox[] = []
  const teams: NcaaTeam[] = []
  const players: NcaaPlayer[] = []
  const read = [
    await readTable(folder, schedule, progress, (row) => games.push(scheduledGame(row))),
    await readTable(folder, team_box, progress, (row) => boxes.push(sideBox(row))),
    await readTable(folder, team_ids, progress, (row) => teams.push(ncaaTeam(row))),
    await readTable(folder, team_rosters, progress, (row) => players.push(ncaaPlayer(row))),
  ]
  return { schedule: games, boxes, teams, players, read }
}

type RowOf<S extends { columns: readonly string[] }> = SourceRow<S['columns'][number]>

function scheduledGame(row: RowOf<typeof schedule>): ScheduledGame {
  return {
    contest_id: row.required('contest_id'),
    day: dayOf(row),
    home: row.required('home'),
    away: row.required('away'),
    home_score: row.number('home_score'),
    away_score: row.number('away_score'),
    season: Number(row.required('season')),
  }
}

/** `MM/DD/YYYY`: the day in the United States, which is the game’s day. */
function dayOf(row: RowOf<typeof schedule>): string {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(row.required('game_date'))
  if (!match) throw row.fault('game_date', 'is not a day of the form MM/DD/YYYY')
  return `${match[3]}-${match[1]}-${match[2]}`
}

function sideBox(row: RowOf<typeof team_box>): SideBox {
  return {
    contest_id: row.required('contest_id'),
    team: row.required('team'),
    espn_team_id: row.text('team_espn_team_id'),
    ncaa_team_id: row.text('team_ncaa_team_id'),
    line: lineOf(row),
  }
}

/** The boxscore in the service’s columns. The source counts neither steals nor fouls. */
function lineOf(row: RowOf<typeof team_box>): Line {
  const [made, tried] = [row.number('fgm'), row.number('fga')]
  const [threes, threesTried] = [row.number('tpm'), row.number('tpa')]
  const [offensive, defensive] = [row.number('orb'), row.number('drb')]
  const counts: Line = {
    minutes_played: playersMinutes(row.number('mins')),
    field_goal: made,
    field_goal_attempts: tried,
    two_point_field_goal: difference(made, threes),
    two_point_field_goal_attempts: difference(tried, threesTried),
    three_point_field_goal: threes,
    three_point_field_goal_attempts: threesTried,
    free_throws: row.number('ftm'),
    free_throw_attempts: row.number('fta'),
    offensive_rebounds: offensive,
    defensive_rebounds: defensive,
    total_rebounds: sum(offensive, defensive),
    assists: row.number('ast'),
    steals: null,
    blocks: row.number('blk'),
    turnovers: row.number('to'),
    fouls: null,
    points: row.number('pts'),
  }
  return { ...counts, ...shootingPercentages((name) => counts[name] ?? null) }
}

/**
 * The minutes of five players in a game of 40 minutes and as many overtimes of 5 as come closest to the minutes that the play-by-play
 * covers; those fall short by seconds, and now and then by some minutes.
 */
function playersMinutes(covered: number | null): number | null {
  if (covered === null) return null
  return 5 * (40 + 5 * Math.max(0, Math.round((covered - 40) / 5)))
}

const ncaaTeam = (row: RowOf<typeof team_ids>): NcaaTeam => ({
  id: row.required('id'),
  team: row.required('team'),
  conference: row.text('conference'),
})

const ncaaPlayer = (row: RowOf<typeof team_rosters>): NcaaPlayer => ({
  player_id: row.required('player_id'),
  team_id: row.required('team_id'),
  name: row.required('clean_name'),
  jersey: row.text('jersey'),
  position: row.text('position'),
  height: row.text('height'),
  hometown: row.text('hometown'),
  games: row.number('gp'),
})
