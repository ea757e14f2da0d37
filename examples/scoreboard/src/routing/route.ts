import { isDay, isSeason, today } from './days.ts'
import pages from './pages.json'

export type GameTab = 'boxscore' | 'odds' | 'matchup' | 'form'
export type TeamTab = 'schedule' | 'statistics' | 'roster'
export type Subject = 'teams' | 'players'

/** What an address shows. Without a season: the one under way. */
export type Route =
  | { readonly page: 'games' | 'week'; readonly date: string }
  | { readonly page: 'game'; readonly id: string; readonly tab?: GameTab }
  | { readonly page: 'team'; readonly id: string; readonly season?: number; readonly tab?: TeamTab }
  | { readonly page: 'player' | 'conference'; readonly id: string; readonly season?: number }
  | { readonly page: 'standings'; readonly season?: number }
  | {
      readonly page: 'leaders'
      /** Without it, the teams’ ratings. */
      readonly subject?: Subject
      readonly season?: number
      /** The statistic; without it the first one that the league has. */
      readonly by?: string
    }
  | {
      readonly page: 'compare'
      readonly subject: Subject
      readonly ids: readonly string[]
      readonly season?: number
    }
  | { readonly page: 'leagues' }
  | { readonly page: 'nothing' }

export type PageName = keyof typeof pages.pages

const leaguePart = new RegExp(pages.league)
const paths = Object.entries(pages.pages).map(
  ([page, { path }]) => [page as PageName, new RegExp(path)] as const, // its own keys
)

/** The league in an address, as a query's variables. Empty for the graph’s default league. */
export function league(path = location.pathname): { organizationId?: string; divisionId?: string } {
  const { organizationId, divisionId } = leaguePart.exec(path)?.groups ?? {}
  return organizationId && divisionId ? { organizationId, divisionId } : {}
}

/** The beginning of every address within the current league. */
export const base = (): string => leaguePart.exec(location.pathname)?.[0] ?? ''

/** A part of the address, decoded; unchanged if its `%` cannot be decoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The parts of an address that are there, by name; null if there is no such page. */
function partsOf(path: string) {
  const inLeague = path.replace(leaguePart, '')
  for (const [page, pattern] of paths) {
    const groups = pattern.exec(inLeague)?.groups
    if (!groups && !pattern.test(inLeague)) continue
    const known = Object.entries(groups ?? {}).filter(([, part]) => part !== undefined)
    return { page, ...Object.fromEntries(known.map(([name, part]) => [name, decoded(part)])) }
  }
  return null
}

interface Parts {
  readonly page: PageName
  readonly date?: string
  readonly id?: string
  readonly season?: string
  readonly tab?: string
  readonly subject?: string
  readonly by?: string
  readonly first?: string
  readonly second?: string
}

const nothing: Route = { page: 'nothing' }

export function routeOf(path: string): Route {
  const parts: Parts | null = partsOf(path)
  if (!parts) return nothing
  const { page, date = today(), id = '', season, tab, by, first, second } = parts
  if (!isDay(date) || (season && !isSeason(Number(season)))) return nothing
  const inSeason = season ? { season: Number(season) } : {}
  const subject = parts.subject === 'players' ? 'players' : 'teams'
  switch (page) {
    case 'games':
    case 'week':
      return { page, date }
    case 'game':
      return { page, id, ...(tab && { tab: tab as GameTab }) } // as pages.json lists them
    case 'team':
      return { page, id, ...inSeason, ...(tab && { tab: tab as TeamTab }) } // as above
    case 'player':
    case 'conference':
      return { page, id, ...inSeason }
    case 'standings':
      return { page, ...inSeason }
    case 'leaders':
      return { page, ...(parts.subject && { subject }), ...inSeason, ...(by && { by }) }
    case 'compare':
      return { page, subject, ids: [first, second].filter((one) => one !== undefined), ...inSeason }
    case 'leagues':
      return { page }
  }
}

/** What of an address is a page of its own. The tabs of a game or a team are parts of one page. */
export function placeOf(route: Route, path: string): string {
  if (route.page === 'game') return `${base()} game ${route.id}`
  if (route.page === 'team') return `${base()} team ${route.id} ${route.season}`
  return path
}
