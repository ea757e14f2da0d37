import { useEffect, useId, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { usePaused } from '../parts/paused.ts'
import { navigate } from '../routing/location.ts'
import { useMatches, useTeams } from './matches.ts'
import type { Match } from './matches.ts'
import { Results } from './results.tsx'
import './search.css'

/** Milliseconds without a new letter before a search is sent, because each is billed. Enter does not wait. */
const pauseMs = 250
const least = 2

/** What is typed, and what has been found for it. Enter may be pressed before anything is found. */
function useTyped() {
  const [text, setText] = useState('')
  const typed = text.trim()
  const paused = usePaused(typed, pauseMs)
  const [hurried, setHurried] = useState('')
  const [isEntered, setEntered] = useState(false)
  const name = hurried === typed ? typed : paused
  const isWanted = name.length >= least
  const found = useMatches(name, isWanted)
  return {
    text,
    type: (next: string) => {
      setText(next)
      setEntered(false)
    },
    found,
    isWanted,
    /** Whether the results are all there are of the text as it stands. */
    isSettled: name === typed && isWanted && !found.isLoading,
    /** Whether the reader waits for the first result to open. */
    isEntered,
    enter: () => {
      setHurried(typed)
      setEntered(true)
    },
    forgetEnter: () => setEntered(false),
  }
}

/** Finds teams and players by name while you type; arrows choose, Enter opens, Escape closes. */
export function Search() {
  const id = useId()
  const { text, type, found, isWanted, isSettled, isEntered, enter, forgetEnter } = useTyped()
  const { matches, isGuess, failure, retry } = found
  const [isOpen, setOpen] = useState(false)
  /** The key of the result that the arrows have chosen: other results may arrive meanwhile. */
  const [chosen, setChosen] = useState<string | null>(null)
  const active = matches.findIndex(({ key }) => key === chosen)
  const teams = useTeams(matches)
  const isShown = isOpen && isWanted

  const pick = (match: Match | undefined) => {
    if (!match) return
    setOpen(false)
    type('')
    navigate(match.address)
  }
  // Names that are only like the text are shown, not opened: none of them was typed.
  const isDue = isEntered && isSettled
  useEffect(() => {
    if (!isDue) return
    forgetEnter()
    if (!isGuess) pick(matches[0])
  })
  const onEnter = () => {
    setOpen(true)
    if (active >= 0) pick(matches[active])
    else if (!isSettled) enter()
    else if (failure) retry()
    else pick(matches[0])
  }
  const move = (steps: number) => {
    setOpen(true)
    const { length } = matches
    const from = active < 0 && steps < 0 ? 0 : active
    setChosen(matches[(from + steps + length) % length]?.key ?? null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') onEnter()
    else if (event.key === 'Escape') {
      if (isShown) setOpen(false)
      else type('')
      forgetEnter()
    } else return
    event.preventDefault()
  }
  return (
    <search className="search">
      <label className="hidden" htmlFor={`${id}-input`}>
        Search teams and players
      </label>
      <input
        id={`${id}-input`}
        type="search"
        role="combobox"
        aria-expanded={isShown && matches.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        placeholder="Search teams and players"
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          type(target.value)
          setChosen(null)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => {
          setOpen(false)
          forgetEnter()
        }}
        onKeyDown={onKeyDown}
      />
      <Results id={id} found={found} teams={teams} isShown={isShown} active={active} onPick={pick} />
    </search>
  )
}
