import { useEffect, useState } from 'react'
import { useSearch } from 'statline-client/react'
import type { SearchQuery } from 'statline-client'
import { nameOf, yearsOf } from '../parts/numbers.ts'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { season } from '../routing/season.ts'
import { Part } from '../parts/states.tsx'
import { TeamLink } from '../parts/team-name.tsx'
import './search.css'

const pauseMs = 250
const least = 2

/** The text once typing pauses, because every search is billed. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

type Found = NonNullable<NonNullable<SearchQuery['league']>['search']>

function Matches({ found: { teams, players, coaches } }: { found: Found }) {
  if (!teams?.length && !players?.length && !coaches?.length) return <p className="empty">Nothing found.</p>
  return (
    <ul>
      {teams?.map((team, at) => (
        <li key={at}>
          <TeamLink team={team} />
        </li>
      ))}
      {players?.map(({ player, begin, end }) => (
        <li key={player.playerId}>
          <a href={href.player(player.playerId, end ?? season.last)}>{nameOf(player)}</a>{' '}
          <small>player, {yearsOf(begin, end)}</small>
        </li>
      ))}
      {coaches?.map(({ coach, begin, end }) => (
        <li key={coach.coachId}>
          {nameOf(coach)} <small>coach, {yearsOf(begin, end)}</small>
        </li>
      ))}
    </ul>
  )
}

/** Finds teams, players and coaches by name while you type. */
export function Search() {
  const [text, setText] = useState('')
  const name = usePaused(text.trim())
  const isWanted = name.length >= least
  const shown = useSearch({ name, ...league() }, { skip: !isWanted })
  return (
    <search onKeyDown={({ key }) => key === 'Escape' && setText('')}>
      <label className="hidden" htmlFor="search">
        Search teams, players and coaches
      </label>
      <input
        id="search"
        type="search"
        placeholder="Search"
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {isWanted && (
        <div className="matches" aria-live="polite">
          <Part
            of={shown}
            value={shown.data?.league?.search}
            field="search"
            what="matches"
            empty="Nothing found."
          >
            {(found) => <Matches found={found} />}
          </Part>
        </div>
      )}
    </search>
  )
}
