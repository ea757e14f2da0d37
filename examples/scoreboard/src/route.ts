import { useSyncExternalStore } from 'react'

/** What the address shows, after its `#`. */
export type Route =
  | { readonly page: 'day'; readonly date: string }
  | { readonly page: 'game'; readonly id: string }
  | { readonly page: 'team' | 'player' | 'standings'; readonly id: string; readonly season: number }
  | {
      readonly page: 'leaders'
      readonly subject: 'TEAM' | 'PLAYER'
      readonly season: number
      readonly by: string
    }

export const today = () => new Date().toISOString().slice(0, 10)

/** The season of what was last shown: where a link has to name one and nothing else tells. */
export const season = {
  last: new Date().getUTCFullYear(),
}

export const href = {
  day: (date: string) => `#/day/${date}`,
  game: (id: string) => `#/game/${id}`,
  team: (id: string, year: number) => `#/team/${id}/${year}`,
  player: (id: string, year: number) => `#/player/${id}/${year}`,
  standings: (id: string, year: number) => `#/standings/${id}/${year}`,
  leaders: (subject: string, year: number, by: string) => `#/leaders/${subject}/${year}/${by}`,
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
  const [page, first = '', second = '', third = ''] = hash.replace(/^#\/?/, '').split('/').map(decoded)
  if (page === 'game') return { page, id: first }
  if (page === 'team' || page === 'player' || page === 'standings')
    return { page, id: first, season: Number(second) || season.last }
  if (page === 'leaders') {
    const subject = first === 'PLAYER' ? 'PLAYER' : 'TEAM'
    const fallback = subject === 'TEAM' ? 'points' : 'points_per_game'
    return { page, subject, season: Number(second) || season.last, by: third || fallback }
  }
  return { page: 'day', date: /^\d{4}-\d{2}-\d{2}$/.test(first) ? first : today() }
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** The address’s fragment, which changes as the reader moves. */
export const useHash = (): string => useSyncExternalStore(subscribe, () => location.hash)
