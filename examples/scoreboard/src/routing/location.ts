import { useSyncExternalStore } from 'react'
import { keepPosition } from './scroll.ts'

const listeners = new Set<() => void>()
const tell = () => listeners.forEach((listener) => listener())

/** Goes to an address of the scoreboard without loading the page anew. */
export function navigate(address: string): void {
  keepPosition()
  history.pushState(null, '', address)
  tell()
}

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !defaultPrevented

/** The address of a link that this page can follow itself. */
function ownLink(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link?.href || link.target || link.hasAttribute('download')) return null
  const to = new URL(link.href)
  const isOurs = to.origin === location.origin && !to.pathname.startsWith('/graphql')
  return isOurs && !link.getAttribute('href')?.startsWith('#') ? to : null
}

/** Follows links of the page itself. To be called once. */
export function followLinks(): void {
  history.scrollRestoration = 'manual'
  addEventListener('popstate', tell)
  document.addEventListener('click', (event) => {
    const to = isPlain(event) ? ownLink(event.target) : null
    if (!to) return
    event.preventDefault()
    navigate(to.href)
  })
}

/** Shows another address in place of this one. */
export function redirect(address: string): void {
  history.replaceState(null, '', address)
  tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The path of the address. Updates when the reader navigates. */
export const usePath = (): string => useSyncExternalStore(subscribe, () => location.pathname)

/** A part of the address after its `?`, and its setter, which adds nothing to the history; empty removes it. */
export function useParam(name: string): readonly [string, (value: string) => void] {
  const value = useSyncExternalStore(subscribe, () => new URLSearchParams(location.search).get(name) ?? '')
  const set = (next: string) => {
    const params = new URLSearchParams(location.search)
    if (next) params.set(name, next)
    else params.delete(name)
    const search = params.size > 0 ? `?${params}` : ''
    history.replaceState(history.state, '', `${location.pathname}${search}`)
    tell()
  }
  return [value, set]
}
