import { rounded } from './result.ts'

/** A game still to be played. */
export interface Unplayed {
  readonly home_team_id: string
  readonly away_team_id: string
  readonly conference: boolean
  /** The predicted probability of a home win, 0 to 1. */
  readonly home_percentage: number
}

export interface Standing {
  readonly wins: number
  readonly losses: number
  readonly confwins: number
  readonly conflosses: number
}

const runs = 1000

/**
 * The record of every team of `records` at the season’s end: what it is now, plus the mean of 1,000 simulated
 * seasons in which each unplayed game is drawn by its prediction (specification §4,
 * conference/getConferencePrediction). Wins and losses are fractional, and together whole. The same seed
 * gives the same standings.
 */
export function projectStandings(
  records: ReadonlyMap<string, Standing>,
  games: readonly Unplayed[],
  seed = 1,
): Map<string, Standing> {
  const wins = simulate(games, seed)
  const projected = new Map([...records].map(([team, standing]) => [team, { ...standing }]))
  games.forEach((game, index) => {
    const share = (wins[index] ?? 0) / runs
    credit(projected.get(game.home_team_id), share, game.conference)
    credit(projected.get(game.away_team_id), 1 - share, game.conference)
  })
  for (const [team, standing] of projected) projected.set(team, served(standing))
  return projected
}

type Growing = { -readonly [K in keyof Standing]: number }

function credit(standing: Growing | undefined, share: number, conference: boolean): void {
  if (!standing) return
  standing.wins += share
  standing.losses += 1 - share
  if (!conference) return
  standing.confwins += share
  standing.conflosses += 1 - share
}

const served = (standing: Standing): Growing => ({
  wins: rounded(standing.wins),
  losses: rounded(standing.losses),
  confwins: rounded(standing.confwins),
  conflosses: rounded(standing.conflosses),
})

/** The share of simulated seasons in which the home team of each game won. */
function simulate(games: readonly Unplayed[], seed: number): Uint32Array {
  const wins = new Uint32Array(games.length)
  const draw = uniform(seed)
  for (let run = 0; run < runs; run++)
    games.forEach((game, index) => {
      if (draw() < game.home_percentage) wins[index]! += 1
    })
  return wins
}

/**
 * Evenly distributed numbers from 0 to 1, the same for the same seed: mulberry32 (T. Ettinger, 2017, public
 * domain).
 */
function uniform(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
