import type { League } from './league.ts'
import { mensCollegeBasketball } from './mens-college-basketball.ts'

const men = mensCollegeBasketball.rules

/**
 * The men's rules with the women's lower scores. The ratings find the wider gaps between teams by themselves.
 */
export const womensCollegeBasketball: League = {
  key: 'womens-college-basketball',
  organization: { code: 'WCBB', name: 'Women’s College Basketball' },
  division: { code: 'D1', name: 'NCAA Division I' },
  rules: { ...men, forecast: { ...men.forecast, usual_score: 65 } },
}
