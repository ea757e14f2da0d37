import type { Sport } from '../numbers/rules.ts'
import { collegeFootball } from './college-football.ts'
import type { League } from './league.ts'
import { mensCollegeBasketball } from './mens-college-basketball.ts'
import { nba } from './nba.ts'
import { womensCollegeBasketball } from './womens-college-basketball.ts'

/** Every league that this service has constants for. A new one is a file beside these and a line here. */
const leagues: readonly League[] = [mensCollegeBasketball, womensCollegeBasketball, collegeFootball, nba]

export const leagueKeys: readonly string[] = leagues.map((league) => league.key)

/** The league of that key; undefined for a key that has no constants of its own. */
export const leagueOfKey = (key: string): League | undefined => leagues.find((league) => league.key === key)

/** What a sport's numbers go by where no league is named. */
export const usualLeague: Readonly<Record<Sport, League>> = {
  basketball: mensCollegeBasketball,
  football: collegeFootball,
}
