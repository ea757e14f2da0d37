import { useSyncExternalStore } from 'react'

const item = 'statline-favourites'
const listeners = new Set<() => void>()
const tell = () => listeners.forEach((listener) => listener())

/** The team ids in the browser's storage; none where it keeps nothing. */
function stored(): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(item) ?? '[]')
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [])
  } catch {
    return new Set()
  }
}

let favourites = stored()

addEventListener('storage', ({ key }) => {
  if (key !== item && key !== null) return
  favourites = stored() // changed in another tab
  tell()
})

function toggle(teamId: string): void {
  const next = new Set(favourites)
  if (!next.delete(teamId)) next.add(teamId)
  favourites = next
  try {
    localStorage.setItem(item, JSON.stringify([...next]))
  } catch {
    // A browser that keeps nothing still shows them until the page is left.
  }
  tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The reader's favourite teams, kept in this browser. */
export const useFavourites = () => ({
  ids: useSyncExternalStore(subscribe, () => favourites),
  toggle,
})
