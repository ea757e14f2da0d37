import type { Line } from '../numbers/line.ts'
import type { Sport } from '../numbers/rules.ts'
import { completed } from './csv-computed-columns.ts'
import { checkSide } from './sides.ts'
import type { Sides } from './sides.ts'
import type { SourceRow } from './source-row.ts'

export interface CsvBox {
  readonly game_id: string
  readonly team_id: string
  readonly line: Line
}

/** A row of boxscores. */
export function boxOf(
  row: SourceRow<string>,
  counted: readonly string[],
  sport: Sport,
  sides: Sides,
): CsvBox {
  checkSide(row, sides)
  const counts = Object.fromEntries(
    counted.map((name) => [name, name === 'points' ? row.score(name) : row.number(name)]),
  )
  if (sport === 'basketball') checkCounts(row, counts)
  return {
    game_id: row.required('game_id'),
    team_id: row.required('team_id'),
    line: completed(counts, sport),
  }
}

/** Counts, and those that they are a part of. */
const parts = [
  ['field_goal', 'field_goal_attempts'],
  ['two_point_field_goal', 'two_point_field_goal_attempts'],
  ['three_point_field_goal', 'three_point_field_goal_attempts'],
  ['free_throws', 'free_throw_attempts'],
  ['two_point_field_goal', 'field_goal'],
  ['three_point_field_goal', 'field_goal'],
  ['two_point_field_goal_attempts', 'field_goal_attempts'],
  ['three_point_field_goal_attempts', 'field_goal_attempts'],
] as const

const isFraction = (name: string) => name === 'minutes_played' || name.endsWith('_percentage')

/**
 * Nothing in basketball is counted below zero or in parts, nobody makes more shots than tries, and threes are
 * field goals.
 */
function checkCounts(row: SourceRow<string>, counts: Readonly<Record<string, number | null>>): void {
  for (const [name, count] of Object.entries(counts)) {
    if (count === null) continue
    if (count < 0) throw row.fault(name, `is below zero: ${count}`)
    if (!Number.isInteger(count) && !isFraction(name)) throw row.fault(name, `is not whole: ${count}`)
  }
  for (const [part, whole] of parts) {
    const [some, all] = [counts[part] ?? null, counts[whole] ?? null]
    if (some !== null && all !== null && some > all)
      throw row.fault(part, `is more than ${whole}: ${some} of ${all}`)
  }
}
