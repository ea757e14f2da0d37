/** One game between two teams of the division, in points per 100 possessions (football: plays). */
export interface Efficiency {
  readonly home: number
  readonly away: number
  readonly home_efficiency: number
  readonly away_efficiency: number
  readonly neutral: boolean
}

/**
 * Average games added to every team, so that two games do not look like a season and the iteration converges.
 */
const priorGames = 1
const enough = 1e-4
const patience = 200

/**
 * Adjusted efficiency: the margin per 100 that each team would have against an average one at a neutral site.
 * Each side’s efficiency in each game is taken against the opponent’s own adjusted offence or defence, again
 * and again until nothing moves: Ken Pomeroy’s “Ratings Explanation” (kenpom.com, 2012), additive, drawn
 * towards the average by one game.
 *
 * @param teams how many; games name them by index
 * @param homeEdge what playing at home is worth to each side, in points per 100
 * @returns by index; null for a team without a game
 */
export function adjustedEfficiency(
  teams: number,
  games: readonly Efficiency[],
  homeEdge: number,
): (number | null)[] {
  const sides = games.flatMap((game) => sidesOf(game, homeEdge))
  const mean = sides.reduce((sum, side) => sum + side.efficiency, 0) / (sides.length || 1)
  const counts = new Float64Array(teams)
  for (const side of sides) counts[side.team]! += 1
  let offence = new Float64Array(teams)
  let defence = new Float64Array(teams)
  for (let round = 0; round < patience; round++) {
    const [nextOffence, nextDefence] = improve(sides, mean, counts, offence, defence)
    const moved = distance(offence, nextOffence) + distance(defence, nextDefence)
    offence = nextOffence
    defence = nextDefence
    if (moved < enough) break
  }
  return Array.from(counts, (count, team) => (count === 0 ? null : offence[team]! - defence[team]!))
}

interface OneSide {
  readonly team: number
  readonly opponent: number
  /** The team’s points per 100, home edge taken out. */
  readonly efficiency: number
}

function sidesOf(game: Efficiency, homeEdge: number): OneSide[] {
  const edge = game.neutral ? 0 : homeEdge
  return [
    { team: game.home, opponent: game.away, efficiency: game.home_efficiency - edge },
    { team: game.away, opponent: game.home, efficiency: game.away_efficiency + edge },
  ]
}

function improve(
  sides: readonly OneSide[],
  mean: number,
  counts: Float64Array,
  offence: Float64Array,
  defence: Float64Array,
): [Float64Array<ArrayBuffer>, Float64Array<ArrayBuffer>] {
  const better = new Float64Array(counts.length)
  const tighter = new Float64Array(counts.length)
  for (const { team, opponent, efficiency } of sides) {
    better[team]! += efficiency - mean - defence[opponent]!
    tighter[opponent]! += efficiency - mean - offence[team]!
  }
  counts.forEach((count, team) => {
    better[team]! /= count + priorGames
    tighter[team]! /= count + priorGames
  })
  return [better, tighter]
}

const distance = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, value, index) => Math.max(most, Math.abs(value - b[index]!)), 0)
