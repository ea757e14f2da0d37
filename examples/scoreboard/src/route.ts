import { useSyncExternalStore } from 'react'

/** What the address shows, after its `#`. */
export type Route =
  | { readonly page: 'leagues' }
  | { readonly page: 'day'; readonly date: string }
  | { readonly page: 'game'; readonly id: string }
  | { readonly page: 'team' | 'player' | 'standings'; readonly id: string; readonly season: number }
  | {
      readonly page: 'leaders'
      readonly subject: 'TEAM' | 'PLAYER'
      readonly season: number
      /** The statistic; empty for the first one that the league has. */
      readonly by: string
    }

export const today = () => new Date().toISOString().slice(0, 10)

const leaguePart = /^#\/league\/([^/]+)\/([^/]+)/

/** The league in the address, as a query's variables. Empty for the graph’s default league. */
export function league(): { organizationId?: string; divisionId?: string } {
  const [, organizationId, divisionId] = leaguePart.exec(location.hash) ?? []
  return organizationId && divisionId ? { organizationId, divisionId } : {}
}

/** The beginning of every address within the current league. */
const base = () => leaguePart.exec(location.hash)?.[0] ?? '#'

const seasons = new Map<string, number>()

/** The season last shown of the league, for links that need one. */
export const season = {
  get last(): number {
    return seasons.get(base()) ?? new Date().getUTCFullYear()
  },
  set last(year: number) {
    seasons.set(base(), year)
  },
}

export const href = {
  leagues: () => `${base()}/leagues`,
  league: (organizationId: string, divisionId: string) =>
    `#/league/${organizationId}/${divisionId}/day/${today()}`,
  day: (date: string) => `${base()}/day/${date}`,
  game: (id: string) => `${base()}/game/${id}`,
  team: (id: string, year: number) => `${base()}/team/${id}/${year}`,
  player: (id: string, year: number) => `${base()}/player/${id}/${year}`,
  standings: (id: string, year: number) => `${base()}/standings/${id}/${year}`,
  leaders: (subject: string, year: number, by: string) => `${base()}/leaders/${subject}/${year}/${by}`,
}

/** A part of the address, decoded; unchanged if its `%` cannot be decoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function routeOf(hash: string): Route {
  const path = hash.replace(leaguePart, '').replace(/^#?\/?/, '')
  const [page, first = '', second = '', third = ''] = path.split('/').map(decoded)
  if (page === 'leagues') return { page }
  if (page === 'game') return { page, id: first }
  if (page === 'team' || page === 'player' || page === 'standings')
    return { page, id: first, season: Number(second) || season.last }
  if (page === 'leaders') {
    const subject = first === 'PLAYER' ? 'PLAYER' : 'TEAM'
    return { page, subject, season: Number(second) || season.last, by: third }
  }
  return { page: 'day', date: /^\d{4}-\d{2}-\d{2}$/.test(first) ? first : today() }
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** The address’s fragment. Updates when the reader navigates. */
export const useHash = (): string => useSyncExternalStore(subscribe, () => location.hash)
