import { useEffect, useState } from 'react'
import { CurrentSeasonDocument } from 'statline-client'
import { useClient } from 'statline-client/react'
import { base, league } from '../routing/route.ts'

const known = new Map<string, number>()

/**
 * The league's last season that has begun, to say whether a season is one. The calendar tells, except of this
 * year's and the next: a season is named by the year in which it begins or ends. Then the graph is asked, if
 * it knows without paying; else this year's counts.
 */
export function useLatestSeason(season: number): number {
  const client = useClient()
  const year = new Date().getUTCFullYear()
  const [current, setCurrent] = useState(known.get(base()))
  const isUnknown = current === undefined && season >= year && season <= year + 1
  useEffect(() => {
    if (!isUnknown) return
    const stop = new AbortController()
    const at = base()
    client.query(CurrentSeasonDocument, league(), { maxTokens: 0, signal: stop.signal }).then(
      ({ data }) => {
        const found = data?.league?.currentSeason
        if (found == null || stop.signal.aborted) return
        known.set(at, found)
        setCurrent(found)
      },
      () => {}, // the link is left out
    )
    return () => stop.abort()
  }, [client, isUnknown])
  return current ?? year
}
