import type { Sport } from '../numbers/rules.ts'
import { collegeFootball } from './college-football.ts'
import type { League } from './league.ts'
import { mensCollegeBasketball } from './mens-college-basketball.ts'
import { nba } from './nba.ts'
import { womensCollegeBasketball } from './womens-college-basketball.ts'

/** All leagues with constants. To add one, add a file beside these and a line here. */
const leagues: readonly League[] = [mensCollegeBasketball, womensCollegeBasketball, collegeFootball, nba]

export const leagueKeys: readonly string[] = leagues.map((league) => league.key)

/** The league with this key; undefined if it has no constants of its own. */
export const leagueOfKey = (key: string): League | undefined => leagues.find((league) => league.key === key)

/** The default league of each sport. */
export const usualLeague: Readonly<Record<Sport, League>> = {
  basketball: mensCollegeBasketball,
  football: collegeFootball,
}
