'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { onWhole, wholeOf } from './whole-streams.ts'

/** The events of a subscription's whole state; null until it has come. */
export function useWhole(client: object, stream: string): readonly object[] | null {
  const subscribe = useCallback((changed: () => void) => onWhole(client, stream, changed), [client, stream])
  const now = () => wholeOf(client, stream)
  return useSyncExternalStore(subscribe, now, now)
}
