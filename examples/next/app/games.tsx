'use client'

import { useState } from 'react'
import { GameCardFragmentDoc, GameStateFragmentDoc, readFragment, TeamNameFragmentDoc } from 'statline-client'
import { useLiveScores, useScoreboard } from 'statline-client/react'

export function Games({ date }: { date: string | undefined }) {
  const [isFollowed, follow] = useState(false)
  const { data, failure } = useScoreboard({ date })
  const { data: heard, complete, stale } = useLiveScores({ date }, { skip: !isFollowed })
  if (!data) return <p>{failure ? failure.message : 'Loading…'}</p>
  const changed = new Map(heard.map(({ scores }) => [scores.id, scores]))
  const told = complete
    ? [...changed.values()]
    : data.league?.games?.map((game) => changed.get(game.id) ?? game)
  return (
    <>
      <button onClick={() => follow(!isFollowed)}>{isFollowed ? 'Following' : 'Follow'}</button>
      {stale && <p role="status">Not current since {stale.toLocaleTimeString()}</p>}
      <ul>
        {readFragment(GameCardFragmentDoc, told ?? []).map((game) => {
          const state = readFragment(GameStateFragmentDoc, game)
          const [home, away] = [game.homeTeam, game.awayTeam].map((team) =>
            readFragment(TeamNameFragmentDoc, team),
          )
          return (
            <li key={state.gameId}>
              {away?.name} {state.awayScore} – {state.homeScore} {home?.name}
            </li>
          )
        })}
      </ul>
    </>
  )
}
