import type { League } from './league.ts'

/**
 * Published constants, not fitted here: 0.44 possessions a free throw (Basketball-Reference, "Glossary"); K
 * 20, 100 points at home and three quarters kept (FiveThirtyEight, "How We Calculate NBA Elo Ratings", 2015);
 * 2.6 points at home.
 */
export const nba: League = {
  key: 'nba',
  organization: { code: 'NBA', name: 'National Basketball Association' },
  division: { code: 'NBA', name: 'NBA' },
  rules: {
    sport: 'basketball',
    minutes: 48,
    free_throw_possessions: 0.44,
    home_edge: 1.3,
    elo: { k: 20, opening_boost: 1.5, home_advantage: 100, carry: 0.75, outsider: 1000 },
    // No home bias between conferences: the league sets the schedule.
    margin: {
      home_points: 2.6,
      prior_games: 3,
      carried_games: 4,
      elo_points: 0.035,
      host_points: 0,
      outsider: -20,
    },
    forecast: {
      elo_weight: 0.1,
      margin_weight: 0.12,
      spread_weight: 0.14,
      points: 7.5,
      usual_score: 113,
      prior_games: 3,
    },
  },
}
