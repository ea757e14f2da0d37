'use client'

import { readFragment, TeamNameFragmentDoc } from 'statline-client'
import { useSuspenseLeaderboard } from 'statline-client/react'
import { leadersOf } from './variables.ts'

export function Leaders({ season }: { season: number | undefined }) {
  const { data, hasMore, fetchMore, loading } = useSuspenseLeaderboard(leadersOf(season))
  return (
    <>
      <ol>
        {data.league?.ranking?.edges.map(({ cursor, node }) => (
          <li key={cursor}>
            {node && 'team' in node && readFragment(TeamNameFragmentDoc, node.team)?.name} {node?.stat?.value}
          </li>
        ))}
      </ol>
      {hasMore && (
        <button disabled={loading} onClick={() => void fetchMore()}>
          More
        </button>
      )}
    </>
  )
}
