import { MarginRatings } from '../../src/service/numbers/margins.ts'
import type { Result } from '../../src/service/numbers/result.ts'
import type { LeagueRules } from '../../src/service/numbers/rules.ts'

/**
 * The expected margin of each game by ratings from the games of all other days, later ones included: what no
 * prediction can know. It shows how far ratings from scores can come at best.
 */
export function hindsight(
  games: readonly Result[],
  teams: readonly string[],
  rules: LeagueRules,
): Map<string, number> {
  const margins = new Map<string, number>()
  // The share that an invitation counts for is of teams that nobody has seen play; here everybody has.
  const rule = { ...rules.margin, host_points: 0 }
  for (const day of new Set(games.map((game) => game.day))) {
    const ratings = new MarginRatings(teams, rule)
    for (const game of games) if (game.day !== day) ratings.add(game)
    for (const game of games) if (game.day === day) margins.set(game.game_id, ratings.expected(game))
  }
  return margins
}
