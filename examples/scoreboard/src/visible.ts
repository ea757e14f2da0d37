import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Whether the page is seen: what nobody looks at need not be followed. */
export const useVisible = (): boolean => useSyncExternalStore(subscribe, () => !document.hidden)
