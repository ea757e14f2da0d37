import { basketballAttempts } from './basketball.ts'
import { footballAttempts } from './football.ts'
import type { Numbers } from './formula.ts'
import type { Attempts } from './formula.ts'
import type { Sport } from './rules.ts'

/** The subjects ranked by a statistic, by position; null for all. */
export type Eligibility = (name: string) => readonly boolean[] | null

export const everybody: Eligibility = () => null

/** Teams with at least half the median number of games, so that no team of three games leads. */
export function eligibleTeams(subjects: readonly Numbers[]): Eligibility {
  const games = subjects.map((subject) => subject('games') ?? 0)
  const least = median(games) / 2
  const eligible = games.map((count) => count >= least)
  return () => eligible
}

const attempts: Readonly<Record<Sport, Attempts>> = {
  basketball: basketballAttempts,
  football: footballAttempts,
}

/** The share of the longest season for rates, and the share for means a game. */
const season = 0.75
const half = 0.5

/**
 * Players with enough attempts for a rate, such as four shots a game over three quarters of the games of the
 * player who has played most; for a mean a game, players with half as many games as that one. Totals are
 * ranked for all.
 */
export function eligiblePlayers(sport: Sport, subjects: readonly Numbers[]): Eligibility {
  const games = subjects.map((subject) => subject('games') ?? 0)
  const most = games.reduce((longest, count) => Math.max(longest, count), 0)
  return (name) => {
    const rate = attempts[sport][name]
    if (rate) {
      const least = rate.perGame * season * most
      return subjects.map((subject) => (subject(rate.of) ?? 0) >= least)
    }
    return isMean(name) ? games.map((count) => count >= half * most) : null
  }
}

const isMean = (name: string) => name.endsWith('_per_game') || name === 'efficiency_rating'

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}
