import { useSyncExternalStore } from 'react'

/** A value that is set outside of React and re-renders the components that use it. */
export interface Held<T> {
  get(): T
  set(value: T): void
  use(): T
}

export function held<T>(first: T): Held<T> {
  let value = first
  const listeners = new Set<() => void>()
  const get = () => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
