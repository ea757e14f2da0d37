import { Suspense } from 'react'
import { LeaderboardDocument } from 'statline-client'
import { Hydrate } from 'statline-client/react'
import { clientOfRequest } from '../client.ts'
import { Leaders } from './leaders.tsx'
import { leadersOf } from './variables.ts'

interface Props {
  readonly searchParams: Promise<{ readonly season?: string }>
}

/** The page is sent at once. The answer follows in the same response, when it is there. */
export default async function Page({ searchParams }: Props) {
  const { season: year } = await searchParams
  const season = year === undefined ? undefined : Number(year) // none is the current one
  const state = clientOfRequest().preload(LeaderboardDocument, leadersOf(season)) // no await: it is streamed
  return (
    <>
      <h1>Leaders</h1>
      <Suspense fallback={<p>Loading…</p>}>
        <Hydrate state={state}>
          <Leaders season={season} />
        </Hydrate>
      </Suspense>
    </>
  )
}
