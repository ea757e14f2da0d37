/** A team's statistic by the specification's name: an average over its games; null if the row has none. */
export type Column = (name: string) => number | null

/**
 * The four factors: Dean Oliver, Basketball on Paper (2004). Shares are 0 to 100; null if a column is
 * missing.
 */
export interface FourFactors {
  /** Field goals made as a share of attempts. A three counts one and a half. */
  readonly effectiveFieldGoalPercentage: number | null
  /** Turnovers in 100 possessions. */
  readonly turnoverPercentage: number | null
  /** Of the rebounds under the opponents' basket. */
  readonly offensiveReboundPercentage: number | null
  /** Free throws made for 100 field goal attempts. */
  readonly freeThrowRate: number | null
}

export interface TeamFactors {
  readonly own: FourFactors
  /** The opponents' factors against it. Lower is better, except for turnovers. */
  readonly opponent: FourFactors
}

/** The four factors of a team and of its opponents, from one row of statistics. Null for other sports. */
export function fourFactors(own: Column): TeamFactors | null {
  const opponent = (name: string) => own(`opponent_${name}`)
  if (own('field_goal_attempts') === null) return null
  return { own: factorsOf(own, opponent), opponent: factorsOf(opponent, own) }
}

function factorsOf(own: Column, other: Column): FourFactors {
  const attempts = own('field_goal_attempts')
  const offensive = own('offensive_rebounds')
  return {
    effectiveFieldGoalPercentage: share(sum(own('field_goal'), own('three_point_field_goal'), 0.5), attempts),
    turnoverPercentage: share(own('turnovers'), own('possessions')),
    offensiveReboundPercentage: share(offensive, sum(offensive, other('defensive_rebounds'))),
    freeThrowRate: share(own('free_throws'), attempts),
  }
}

const share = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole <= 0 ? null : (100 * part) / whole

const sum = (value: number | null, more: number | null, times = 1): number | null =>
  value === null || more === null ? null : value + more * times
