import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Whether the page is visible. A hidden page need not be followed. */
export const useVisible = (): boolean => useSyncExternalStore(subscribe, () => !document.hidden)
