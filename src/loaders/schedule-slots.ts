import type { Scope } from '../graph/scope.ts'
import { Schedule } from '../rows/game-state.ts'
import { slots } from '../rows/slot.ts'
import type { World } from '../upstream/world.ts'
import { leagueKey } from './leagues.ts'

type Keys = readonly string[]

/** Time zones: when a day is over wherever it is played. */
const dayIsOver = 2 * 86_400_000

/** The keys of a league's games of a day. They are kept once all of them are over; till then the day moves. */
export const gamesOfDay = slots<Keys, string>({
  name: 'games',
  keyOf: (date) => date,
  freshness(judge, date, _league, games) {
    const midnight = Date.parse(date)
    const states = games.map((game) => judge.game(game))
    return new Schedule(states, judge.fresh.freshFor, Number.isNaN(midnight) ? null : midnight + dayIsOver)
  },
})

/** The keys of a team's games of a season. A team may play in more than one league, and a league's scores do not say whose they are. */
export const gamesOfSeason = slots<Keys, Scope>({
  name: 'season',
  keyOf: (scope) => `${leagueKey(scope)} ${scope.season}`,
  freshness: ({ fresh }, { organization_id, season }) => fresh.ofSeason(organization_id, season),
})

/** The games that a day was last known to have, however long ago; undefined where it never was. */
export const listedOn = (world: World, league: string, date: string): Keys | undefined =>
  gamesOfDay(date).stale(world.rows.entry('league', league))
