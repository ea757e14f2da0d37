import { useEffect, useRef, useState } from 'react'
import { GameCardFragmentDoc, GameStateFragmentDoc, readFragment } from 'statline-client'
import { nameOfTeam } from '../parts/team-name.tsx'
import type { Listed } from './listed.ts'
import { stateOf } from './state.ts'
import type { Phase } from './state.ts'

/** What is compared from one event to the next. */
interface Standing {
  readonly phase: Phase
  readonly home: number
  readonly away: number
  readonly words: string
}

function standingOf({ card, phase }: Listed): Standing {
  const { homeTeam, awayTeam, ...rest } = readFragment(GameCardFragmentDoc, card)
  const { homeScore, awayScore } = readFragment(GameStateFragmentDoc, rest)
  const [home, away] = [homeScore ?? 0, awayScore ?? 0]
  const words = `${nameOfTeam(awayTeam)} ${away}, ${nameOfTeam(homeTeam)} ${home}, ${stateOf(rest)}`
  return { phase, home, away, words }
}

/** Whether it is worth to be heard: starts, ends and changes of the lead; of favourites every score. */
function isNews(before: Standing, now: Standing, isFavourite: boolean): boolean {
  if (before.phase !== now.phase) return true
  if (before.home === now.home && before.away === now.away) return false
  return isFavourite || Math.sign(before.home - before.away) !== Math.sign(now.home - now.away)
}

/** At most so many games are read out at once. */
const most = 4

/** Reads out what happens in the games to those who do not see it. */
export function Announcer({
  games,
  favourites,
}: {
  games: readonly Listed[]
  favourites: ReadonlySet<string>
}) {
  const before = useRef(new Map<string, Standing>())
  const [news, setNews] = useState('')
  useEffect(() => {
    const now = new Map(games.map((game) => [game.gameId, standingOf(game)]))
    const heard = games.flatMap(({ gameId, teamIds }) => {
      const [old, one] = [before.current.get(gameId), now.get(gameId)]
      const isFavourite = teamIds.some((id) => favourites.has(id))
      return old && one && isNews(old, one, isFavourite) ? [one.words] : []
    })
    before.current = now
    if (heard.length === 0) return
    const rest = heard.length > most ? [`and ${heard.length - most} more games`] : []
    setNews([...heard.slice(0, most), ...rest].join('. '))
  }, [games, favourites])
  return (
    <p className="hidden" role="status" aria-label="Scores">
      {news}
    </p>
  )
}
