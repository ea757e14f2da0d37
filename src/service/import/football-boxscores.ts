import type { Line } from '../numbers/line.ts'
import type { SourceRow } from './source-row.ts'

export interface TeamBox {
  readonly game_id: string
  readonly team_id: string
  readonly counts: Line
}

const counted = [
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
] as const

/** Two rows for each game, one for each side. */
export const team_box = {
  name: 'team_box',
  columns: ['game_id', 'team_id', 'season', ...counted],
  optional: ['season', ...counted],
  season: 'season',
  unique: { columns: ['game_id', 'team_id'], second: 'fault' },
} as const

type BoxRow = SourceRow<(typeof team_box.columns)[number]>

export function boxOf(row: BoxRow): TeamBox {
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

function secondsOf(row: BoxRow): number | null {
  const text = row.text('possessionTime')
  if (text === '') return null
  const match = /^(\d{1,3}):(\d{2})$/.exec(text)
  if (!match) throw row.fault('possessionTime', 'is not of the form MM:SS')
  return Number(match[1]) * 60 + Number(match[2])
}
