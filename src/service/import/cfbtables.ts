import type { Line } from '../league/facts.ts'
import type { Progress } from '../league/publish.ts'
import { countsOf, isNumbered, player_box } from './cfbplayers.ts'
import type { SourceRow } from './record.ts'
import { readTable } from './table.ts'
import type { ReadTable } from './table.ts'

export interface CfbTeam {
  readonly id: string
  readonly name: string
  readonly abbreviation: string
}

export interface CfbGame {
  readonly game_id: string
  readonly season: number
  /** The start, ISO 8601 UTC with milliseconds. */
  readonly start: string
  readonly neutral_site: boolean
  readonly conference: boolean
  readonly home: CfbTeam
  readonly away: CfbTeam
  readonly home_score: number | null
  readonly away_score: number | null
  readonly attendance: number | null
  readonly final: boolean
}

export interface TeamBox {
  readonly game_id: string
  readonly team_id: string
  readonly counts: Line
}

/** What one player counted in one game, category by category. */
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
  /** A line that no bookmaker offered. */
  readonly filler: boolean
}

/** The four files of a season as they stand. */
export interface CfbTables {
  readonly schedule: readonly CfbGame[]
  readonly boxes: readonly TeamBox[]
  readonly athletes: readonly Athlete[]
  readonly lines: readonly BettingLine[]
  /** Passing rows with numbered columns in place of named ones. */
  readonly numbered: number
  readonly read: readonly ReadTable[]
}

const sideColumns = [
  'home_id',
  'away_id',
  'home_team',
  'away_team',
  'home_abbreviation',
  'away_abbreviation',
  'home_score',
  'away_score',
] as const

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
    ...sideColumns,
  ],
} as const

const team_box = {
  name: 'team_box',
  columns: [
    'game_id',
    'team_id',
    'firstDowns',
    'thirdDownEff',
    'fourthDownEff',
    'netPassingYards',
    'completionAttempts',
    'rushingYards',
    'rushingAttempts',
    'totalPenaltiesYards',
    'fumblesLost',
    'interceptions',
    'possessionTime',
  ],
} as const

const betting = {
  name: 'betting',
  columns: ['game_id', 'home_team_spread', 'over_under', 'game_spread_available'],
} as const

/** @throws {ImportFailed} where a file is missing, cut off or another than it should be */
export async function readCfbTables(folder: string, progress: Progress): Promise<CfbTables> {
  const games: CfbGame[] = []
  const boxes: TeamBox[] = []
  const lines: BettingLine[] = []
  const athletes = new Map<string, Athlete>()
  let numbered = 0
  const read = [
    await readTable(folder, schedule, progress, (row) => games.push(gameOf(row))),
    await readTable(folder, team_box, progress, (row) => boxes.push(boxOf(row))),
    await readTable(folder, betting, progress, (row) => lines.push(lineOf(row))),
    await readTable(folder, player_box, progress, (row) => {
      if (isNumbered(row)) numbered += 1
      const key = `${row.required('game_id')} ${row.required('athlete_id')}`
      const athlete = athletes.get(key)
      if (athlete) athlete.lines.push(countsOf(row))
      else athletes.set(key, { ...athleteOf(row), lines: [countsOf(row)] })
    }),
  ]
  return { schedule: games, boxes, athletes: [...athletes.values()], lines, numbered, read }
}

type RowOf<S extends { columns: readonly string[] }> = SourceRow<S['columns'][number]>

function gameOf(row: RowOf<typeof schedule>): CfbGame {
  return {
    game_id: row.required('game_id'),
    season: Number(row.required('season')),
    start: startOf(row),
    neutral_site: row.text('neutral_site') === 'true',
    conference: row.text('conference_competition') === 'true',
    home: {
      id: row.required('home_id'),
      name: row.required('home_team'),
      abbreviation: row.text('home_abbreviation'),
    },
    away: {
      id: row.required('away_id'),
      name: row.required('away_team'),
      abbreviation: row.text('away_abbreviation'),
    },
    home_score: row.number('home_score'),
    away_score: row.number('away_score'),
    // Nobody counts an empty stadium: the source writes 0 where it does not know.
    attendance: row.number('attendance') || null,
    final: row.text('status') === 'STATUS_FINAL',
  }
}

function startOf(row: RowOf<typeof schedule>): string {
  const start = new Date(row.required('game_date'))
  if (Number.isNaN(start.getTime())) throw row.fault('game_date', 'is not a time')
  return start.toISOString()
}

function boxOf(row: RowOf<typeof team_box>): TeamBox {
  const [thirdMade, thirdTried] = row.pair('thirdDownEff')
  const [fourthMade, fourthTried] = row.pair('fourthDownEff')
  const [completions, attempts] = row.pair('completionAttempts')
  const [penalties, penaltyYards] = row.pair('totalPenaltiesYards')
  const counts = {
    first_downs: row.number('firstDowns'),
    third_down_conversions: thirdMade,
    third_down_attempts: thirdTried,
    fourth_down_conversions: fourthMade,
    fourth_down_attempts: fourthTried,
    penalties,
    penalty_yards: penaltyYards,
    time_of_possession_seconds: secondsOf(row),
    passing_attempts: attempts,
    passing_completions: completions,
    passing_yards: row.number('netPassingYards'),
    passing_interceptions: row.number('interceptions'),
    rushing_attempts: row.number('rushingAttempts'),
    rushing_yards: row.number('rushingYards'),
    fumbles_lost: row.number('fumblesLost'),
  }
  return { game_id: row.required('game_id'), team_id: row.required('team_id'), counts }
}

function secondsOf(row: RowOf<typeof team_box>): number | null {
  const text = row.text('possessionTime')
  if (text === '') return null
  const match = /^(\d+):(\d{2})$/.exec(text)
  if (!match) throw row.fault('possessionTime', 'is not of the form MM:SS')
  return Number(match[1]) * 60 + Number(match[2])
}

const lineOf = (row: RowOf<typeof betting>): BettingLine => ({
  game_id: row.required('game_id'),
  home_spread: row.number('home_team_spread'),
  total: row.number('over_under'),
  filler: row.text('game_spread_available') !== 'true',
})

const athleteOf = (row: SourceRow<(typeof player_box.columns)[number]>) => ({
  game_id: row.required('game_id'),
  team_id: row.required('team_id'),
  athlete_id: row.required('athlete_id'),
  name: row.text('athlete_name'),
  jersey: row.text('jersey'),
})
