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
      /** Empty: whichever the league has. */
      readonly by: string
    }

export const today = () => new Date().toISOString().slice(0, 10)

const leaguePart = /^#\/league\/([^/]+)\/([^/]+)/

/** The league that the address names, as variables of a query; the graph’s default one where it names none. */
export function league(): { organizationId?: string; divisionId?: string } {
  const [, organizationId, divisionId] = leaguePart.exec(location.hash) ?? []
  return organizationId && divisionId ? { organizationId, divisionId } : {}
}

/** What every address within the league in view begins with. */
const base = () => leaguePart.exec(location.hash)?.[0] ?? '#'

const seasons = new Map<string, number>()

/** The season of what was last shown of the league: where a link has to name one and nothing else tells. */
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

/** A part of the address as it is meant; as it stands where its `%` mean nothing. */
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

/** The address’s fragment, which changes as the reader moves. */
export const useHash = (): string => useSyncExternalStore(subscribe, () => location.hash)
