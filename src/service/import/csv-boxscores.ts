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

const tried = {
  field_goal: 'field_goal_attempts',
  two_point_field_goal: 'two_point_field_goal_attempts',
  three_point_field_goal: 'three_point_field_goal_attempts',
  free_throws: 'free_throw_attempts',
}

/** Nothing in basketball is counted below zero, and nobody makes more shots than tries. */
function checkCounts(row: SourceRow<string>, counts: Readonly<Record<string, number | null>>): void {
  for (const [name, count] of Object.entries(counts))
    if (count !== null && count < 0) throw row.fault(name, `is below zero: ${count}`)
  for (const [made, attempts] of Object.entries(tried)) {
    const [some, all] = [counts[made] ?? null, counts[attempts] ?? null]
    if (some !== null && all !== null && some > all)
      throw row.fault(made, `is more than ${attempts}: ${some} of ${all}`)
  }
}
