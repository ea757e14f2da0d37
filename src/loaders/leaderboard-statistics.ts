import { plain } from '../graph/names.ts'
import { nearestName } from '../nearest-name.ts'
import { sports, sportStatistics } from '../specification/sport-statistics.ts'
import type { Sport } from '../specification/sport-statistics.ts'
import {
  basketballLine,
  footballLine,
  indices,
  rankedCounts,
  unrankedCounts,
} from '../specification/statistics.ts'

export type Ranks = 'teams' | 'players'

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
const namesBySport = sports.map((sport) => {
  const named = (ranks: Ranks) => new Map(namesOf(sport, ranks).map((name) => [plain(name), name]))
  return { sport, teams: named('teams'), players: named('players') }
})

/** The sports whose leaderboards may have this statistic, before any of their rows is known. */
export const sportsWith = (ranks: Ranks, name: string): readonly Sport[] =>
  namesBySport.filter((names) => names[ranks].has(plain(name))).map(({ sport }) => sport)

/** The statistic that was probably meant. */
export function nearestStatistic(ranks: Ranks, name: string): string | undefined {
  const known = new Map(namesBySport.flatMap((names) => [...names[ranks]]))
  return known.get(nearestName(plain(name).slice(0, 80), known.keys()) ?? '')
}
