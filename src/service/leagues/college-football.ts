import type { League } from './league.ts'

/**
 * The ratings and their weights are fitted to the log loss of the real season 2025, all but `carry` and
 * `carried_games`, which take two, and the margin's `outsider`: that season has none. The weight of the
 * spread is fitted to 2017, 2018 and 2025; with it, the ratings add nothing in a season that they were not
 * fitted to. `docs/benchmarks.md` says how, and what that is worth.
 */
export const collegeFootball: League = {
  key: 'college-football',
  organization: { code: 'CFB', name: 'College Football' },
  division: { code: 'D1', name: 'NCAA Division I' },
  rules: {
    sport: 'football',
    minutes: 60,
    free_throw_possessions: 0,
    home_edge: 1.75,
    elo: { k: 32, opening_boost: 2, home_advantage: 100, carry: 0.65, outsider: 1000 },
    margin: {
      home_points: 3.6,
      prior_games: 2,
      carried_games: 5,
      elo_points: 0.062,
      host_points: 17.5,
      outsider: -30,
    },
    forecast: {
      elo_weight: 0.175,
      margin_weight: 0.082,
      spread_weight: 0.122,
      points: 9,
      usual_score: 27,
      prior_games: 3,
    },
  },
}
