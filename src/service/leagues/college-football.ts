import type { League } from './league.ts'

/** Fitted, all but `carry` and the margin's `outsider`, to the log loss of one real season, which has no outsiders. */
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
    margin: { home_points: 3.6, prior_games: 1, outsider: -30 },
    forecast: { elo_weight: 0.384, margin_weight: 0.054, points: 9, usual_score: 27, prior_games: 3 },
  },
}
