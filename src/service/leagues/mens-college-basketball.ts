import type { League } from './league.ts'

/**
 * Fitted to the log loss of the real seasons 2022, 2023 and 2026, where 2023 begins with what 2022 has left;
 * judged by 2024, which they had not seen. `docs/benchmarks.md` says how, and what that is worth. No source
 * has spreads of basketball: that weight is the logistic one of margins that miss the spread by 10.5 points.
 */
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
    margin: {
      home_points: 2.8,
      prior_games: 1.5,
      carried_games: 2,
      elo_points: 0.044,
      host_points: 10,
      outsider: -35,
    },
    forecast: {
      elo_weight: 0.072,
      margin_weight: 0.118,
      spread_weight: 0.162,
      points: 7.5,
      usual_score: 75,
      prior_games: 2,
    },
  },
}
