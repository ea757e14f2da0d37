/**
 * The statistics of which less is better, by their name in a team's row. For all others, the
 * highest value ranks first. For opponents' statistics it is the other way round.
 */
export const lowerIsBetter: ReadonlySet<string> = new Set([
  'losses',
  'conflosses',
  'neutrallosses',
  'homelosses',
  'roadlosses',
  'loss_margin',
  'confloss_margin',
  'fatigue',
  'desperation',
  'over_confidence',
  'turnovers',
  'turnovers_per_game',
  'fouls',
  'fouls_per_game',
  'defensive_rating',
  'penalties',
  'penalty_yards',
  'passing_interceptions',
  'fumbles',
  'fumbles_lost',
  'punts',
])

const opponent = 'opponent_'

/** Whether the lowest value of a statistic ranks first. */
export const lowestFirst = (name: string): boolean =>
  name.startsWith(opponent) ? !lowerIsBetter.has(name.slice(opponent.length)) : lowerIsBetter.has(name)

/** Competition ranks, 1 2 2 4: equal values share a rank, null has none. By the position of `values`. */
export function competitionRanks(values: readonly (number | null)[], lowest: boolean): (number | null)[] {
  // Numbers alone are sorted without calls of a comparison.
  const sorted = Float64Array.from(values.filter((value) => value !== null)).toSorted()
  const ranks = new Map<number, number>()
  for (let place = 0; place < sorted.length; place++) {
    const value = sorted[lowest ? place : sorted.length - 1 - place] ?? 0
    if (!ranks.has(value)) ranks.set(value, place + 1)
  }
  return values.map((value) => (value === null ? null : (ranks.get(value) ?? null)))
}
