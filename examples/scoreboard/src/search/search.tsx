import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { TeamMark } from '../parts/team-name.tsx'
import { navigate } from '../routing/location.ts'
import { useMatches, usePaused, useTeams } from './matches.ts'
import type { Match } from './matches.ts'
import './search.css'

const pauseMs = 250
const least = 2

interface OptionProps {
  readonly match: Match
  readonly id: string
  readonly isActive: boolean
  readonly team: string | undefined
  readonly onPick: () => void
}

function Option({
  match: { name, kind, years, team },
  id,
  isActive,
  team: plays,
  onPick,
}: OptionProps & {
  match: Match
}) {
  const about = [kind === 'team' ? 'team' : kind, plays, years].filter(Boolean).join(' · ')
  return (
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      {team ? <TeamMark team={team} /> : <span className="no-mark" aria-hidden="true" />}
      <span>{name}</span>
      <small>{about}</small>
    </li>
  )
}

const counted = (count: number) => `${count} result${count === 1 ? '' : 's'}`

/** Finds teams, players and coaches by name while you type; arrows choose, Enter opens, Escape closes. */
export function Search() {
  const id = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const name = usePaused(text.trim(), pauseMs)
  const isWanted = name.length >= least
  const { matches, isGuess, isLoading, failure } = useMatches(name, isWanted)
  const teams = useTeams(matches)
  const isShown = isOpen && isWanted
  useEffect(() => setActive(-1), [name])

  const pick = (match: Match | undefined) => {
    if (!match?.address) return
    setOpen(false)
    setText('')
    navigate(match.address)
  }
  const move = (steps: number) => {
    setOpen(true)
    if (matches.length > 0)
      setActive((at) => (at + steps + matches.length + (at < 0 && steps < 0 ? 1 : 0)) % matches.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') pick(matches[active] ?? matches[0])
    else if (event.key === 'Escape' && isShown) setOpen(false)
    else if (event.key === 'Escape') setText('')
    else return
    event.preventDefault()
  }
  const state = failure
    ? 'The search failed.'
    : isLoading
      ? 'Searching…'
      : matches.length === 0
        ? 'Nothing found.'
        : isGuess
          ? `Nothing has this name. ${counted(matches.length)} like it:`
          : counted(matches.length)
  return (
    <search className="search">
      <label className="hidden" htmlFor={`${id}-input`}>
        Search teams, players and coaches
      </label>
      <input
        id={`${id}-input`}
        ref={input}
        type="search"
        role="combobox"
        aria-expanded={isShown && matches.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        placeholder="Search"
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div className="matches" hidden={!isShown}>
        <p role="status" className={matches.length > 0 && !isGuess ? 'hidden' : undefined}>
          {isShown ? state : ''}
        </p>
        <ul id={`${id}-list`} role="listbox" aria-label="Results">
          {matches.map((match, at) => (
            <Option
              key={match.key}
              id={`${id}-${at}`}
              match={match}
              isActive={at === active}
              team={teams.get(match.key)}
              onPick={() => pick(match)}
            />
          ))}
        </ul>
      </div>
    </search>
  )
}
