import { shootingPercentages } from '../numbers/basketball.ts'
import { footballRates } from '../numbers/football.ts'
import type { Numbers } from '../numbers/formula.ts'
import type { Line } from '../numbers/line.ts'
import type { Sport } from '../numbers/rules.ts'
import { difference, sum } from '../numbers/tally.ts'

/** Columns computed from others, for files with counts alone. */
const derived: Readonly<Record<Sport, (value: Numbers) => Line>> = {
  basketball: (value) => {
    const counts: Line = {
      two_point_field_goal: difference(value('field_goal'), value('three_point_field_goal')),
      two_point_field_goal_attempts: difference(
        value('field_goal_attempts'),
        value('three_point_field_goal_attempts'),
      ),
      total_rebounds: sum(value('offensive_rebounds'), value('defensive_rebounds')),
    }
    return { ...counts, ...shootingPercentages((name) => counts[name] ?? value(name)) }
  },
  football: footballRates,
}

/** The line with missing rates and sums computed from its counts. */
export function completed(counts: Line, sport: Sport): Line {
  const rates = derived[sport]((name) => counts[name] ?? null)
  return Object.fromEntries(
    Object.entries(counts).map(([name, value]) => [name, value ?? rates[name] ?? null]),
  )
}
