import type { League } from './league.ts'

/** Fitted, all but `carry`, to the log loss of one real season; `bench/predictions.ts` prints what they achieve. */
export const mensCollegeBasketball: League = {
  key: 'mens-college-basketball',
  organization: { code: 'CBB', name: 'College Basketball' },
  division: { code: 'D1', name: 'NCAA Division I' },
  rules: {
    sport: 'basketball',
    minutes: 40,
    // Ken Pomeroy's college factor (kenpom.com, "Ratings Glossary").
    free_throw_possessions: 0.475,
    home_edge: 1.75,
    elo: { k: 26, opening_boost: 3, home_advantage: 80, carry: 0.7, outsider: 600 },
    margin: { home_points: 3.2, prior_games: 2, outsider: -35 },
    forecast: { elo_weight: 0.02, margin_weight: 0.134, points: 7.5, usual_score: 75, prior_games: 2 },
  },
}
