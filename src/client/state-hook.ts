'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { onState, stateOf } from './stream-states.ts'
import type { StreamState } from './stream-states.ts'

/** What a subscription's events say beside their data. */
export function useStreamState(client: object, stream: string): StreamState {
  const subscribe = useCallback((changed: () => void) => onState(client, stream, changed), [client, stream])
  const now = () => stateOf(client, stream)
  return useSyncExternalStore(subscribe, now, now)
}
