import { base } from './route.ts'
import type { GameTab, Subject, TeamTab } from './route.ts'

type Part = string | number | null | undefined

const at = (...parts: readonly Part[]): string =>
  `${base()}/${parts
    .filter((part) => part !== undefined && part !== null && part !== '')
    .map((part) => encodeURIComponent(String(part)))
    .join('/')}`

type Season = number | null | undefined

/** The address of each page, within the current league. Without a season: the one under way. */
export const href = {
  games: (date?: string) => (date ? at('games', date) : at()),
  week: (date?: string) => at('week', date),
  game: (id: string, tab?: GameTab) => at('game', id, tab),
  team: (id: string, season?: Season, tab?: TeamTab) => at('team', id, season, tab),
  player: (id: string, season?: Season) => at('player', id, season),
  standings: (season?: Season) => at('standings', season),
  conference: (id: string, season?: Season) => at('conference', id, season),
  leaders: (subject?: Subject, season?: Season, by?: string) => at('leaders', subject, by, season),
  compare: (subject: Subject, first?: string, second?: string, season?: Season) =>
    second ? at('compare', subject, first, second, season) : at('compare', subject, first),
  leagues: () => at('leagues'),
  /** Today's games of another league. */
  league: (organizationId: string, divisionId: string) => `/league/${organizationId}/${divisionId}`,
}
