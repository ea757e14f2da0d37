import { shootingPercentages } from '../numbers/basketball.ts'
import type { Line } from '../numbers/line.ts'
import { difference, sum } from '../numbers/tally.ts'
import type { SourceRow } from './source-row.ts'

/** The counts of a side’s boxscore. */
export const boxColumns = [
  'mins',
  'pts',
  'fga',
  'fgm',
  'tpa',
  'tpm',
  'fta',
  'ftm',
  'orb',
  'drb',
  'blk',
  'to',
  'ast',
] as const

/** The boxscore in the service’s columns. The source has neither steals nor fouls. */
export function lineOf(row: Pick<SourceRow<(typeof boxColumns)[number]>, 'number' | 'score'>): Line {
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
    points: row.score('pts'),
  }
  return { ...counts, ...shootingPercentages((name) => counts[name] ?? null) }
}

/**
 * The minutes of five players in a game of 40 minutes and as many overtimes of 5 as come closest to the
 * minutes that the play-by-play covers; those fall short by seconds, and now and then by some minutes.
 */
function playersMinutes(covered: number | null): number | null {
  if (covered === null) return null
  return 5 * (40 + 5 * Math.max(0, Math.round((covered - 40) / 5)))
}
