'use client'

import { useRef } from 'react'

interface Last {
  /** The variables. */
  readonly key: string
  readonly data: unknown
  readonly since: Date | null
}

/**
 * Since when the stream of `data` is broken; null while it works. Each event brings a new `data` object,
 * which ends a failure; some libraries drop the failure earlier.
 */
export function useStale(key: string, data: unknown, failure: unknown): Date | null {
  const last = useRef<Last>({ key, data: undefined, since: null })
  const known = last.current.key === key ? last.current : { key, data: undefined, since: null }
  const isNews = data !== undefined && data !== known.data
  const isBroken = Boolean(failure) && known.data !== undefined
  const before = isNews ? null : known.since
  last.current = { key, data: data ?? known.data, since: before ?? (isBroken ? new Date() : null) }
  return last.current.since
}
