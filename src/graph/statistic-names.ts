import { nearestName } from '../nearest-name.ts'
import { footballPlayerLine, ranksOf, sports, sportStatistics } from '../specification/sport-statistics.ts'
import type { Ranks, Sport } from '../specification/sport-statistics.ts'
import {
  basketballLine,
  footballLine,
  indices,
  rankedCounts,
  unrankedCounts,
} from '../specification/statistics.ts'
import { isStatisticClass } from '../specification/tables.ts'
import type { StatisticClass } from '../specification/tables.ts'
import { plain } from './names.ts'

/** The tables whose rows have statistics. */
export type StatisticTable = StatisticClass | 'boxscore' | 'player_boxscore'

const lines: Readonly<Record<Sport, readonly string[]>> = {
  basketball: basketballLine,
  football: footballLine,
}

/** What a leaderboard of a sport may be ordered by: what the lists have, and what boxscores imply. */
function namesOf(sport: Sport, ranks: Ranks): readonly string[] {
  const implied = lines[sport].flatMap((name) =>
    ranks === 'teams' ? [name, `opponent_${name}`] : [name, `${name}_per_game`],
  )
  const common = ranks === 'teams' ? [...unrankedCounts, ...rankedCounts, ...indices] : ['games']
  return [...common, ...sportStatistics[sport][ranks], ...implied]
}

/** Names by their form that is the same for both spellings. */
const byForm = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [plain(name), name]))

const namesBySport = sports.map((sport) => ({
  sport,
  teams: byForm(namesOf(sport, 'teams')),
  players: byForm(namesOf(sport, 'players')),
}))

/** The sports whose rows may have this statistic, before any of them is known. */
export const sportsWith = (ranks: Ranks, name: string): readonly Sport[] =>
  namesBySport.filter((names) => names[ranks].has(plain(name))).map(({ sport }) => sport)

/** The names of all sports. */
const names = {
  teams: byForm(sports.flatMap((sport) => namesOf(sport, 'teams'))),
  players: byForm(sports.flatMap((sport) => namesOf(sport, 'players'))),
  boxscore: byForm([...basketballLine, ...footballLine]),
  player_boxscore: byForm([...basketballLine, ...footballPlayerLine]),
}

type List = keyof typeof names

export const listOf = (table: StatisticTable): List => (isStatisticClass(table) ? ranksOf[table] : table)

/** Whether a list has a statistic, so that some row of its tables may have it. */
export const isListed = (list: List, name: string): boolean => names[list].has(plain(name))

/** The statistic of a list, or among others, that was probably meant. */
export function nearestStatistic(
  list: List,
  name: string,
  others: readonly string[] = [],
): string | undefined {
  const known = new Map([...names[list], ...byForm(others)])
  const wanted = plain(name).slice(0, 80)
  return known.get(nearestName(wanted, known.keys()) ?? nearestPart(wanted, [...known.keys()]) ?? '')
}

/** The nearest in length of those that contain a name, or that it contains: `total_rebounds` for `rebounds`. */
function nearestPart(name: string, known: readonly string[]): string | undefined {
  const distance = (one: string) => Math.abs(one.length - name.length)
  return known
    .filter((one) => Math.min(one.length, name.length) > 3 && (one.includes(name) || name.includes(one)))
    .reduce<string | undefined>(
      (best, one) => (best === undefined || distance(one) < distance(best) ? one : best),
      undefined,
    )
}
