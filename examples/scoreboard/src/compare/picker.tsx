import { useId, useState } from 'react'
import { useSearch } from 'statline-client/react'
import { nameOf, yearsOf } from '../parts/numbers.ts'
import { usePaused } from '../parts/paused.ts'
import { Part } from '../parts/states.tsx'
import { nameOfTeam, readTeam, TeamMark } from '../parts/team-name.tsx'
import { league } from '../routing/route.ts'
import type { Subject } from '../routing/route.ts'

/** Milliseconds without a new letter before a search is sent, because each is billed. */
const pauseMs = 250
const leastLetters = 2

interface PickerProps {
  readonly subject: Subject
  readonly label: string
  /** The address of the comparison with this team or player. */
  readonly hrefOf: (id: string) => string
}

/** Finds a team or a player by name; each result is a link. */
export function Picker({ subject, label, hrefOf }: PickerProps) {
  const id = useId()
  const [text, setText] = useState('')
  const name = usePaused(text.trim(), pauseMs)
  const isWanted = name.length >= leastLetters && text !== ''
  const groups = subject === 'teams' ? (['TEAMS'] as const) : (['PLAYERS'] as const)
  const shown = useSearch({ name, groups: [...groups], ...league() }, { skip: !isWanted })
  const found = shown.data?.league?.search
  return (
    <div className="picker" onKeyDown={({ key }) => key === 'Escape' && setText('')}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        placeholder={subject === 'teams' ? 'Name of a team' : 'Name of a player'}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {isWanted && !found && (
        <Part of={shown} value={found} field="search" what="names" empty="Nothing found.">
          {() => null}
        </Part>
      )}
      {isWanted && found && (
        <ul aria-label={`Results for ${label.toLowerCase()}`}>
          {found.teams?.map((team) => (
            <li key={readTeam(team)?.teamId}>
              <a className="team" href={hrefOf(readTeam(team)?.teamId ?? '')}>
                <TeamMark team={team} /> {nameOfTeam(team)}
              </a>
            </li>
          ))}
          {found.players?.map(({ player, begin, end }) => (
            <li key={player.playerId}>
              <a href={hrefOf(player.playerId)}>{nameOf(player)}</a> <small>{yearsOf(begin, end)}</small>
            </li>
          ))}
          {!found.teams?.length && !found.players?.length && <li className="empty">Nothing found.</li>}
        </ul>
      )}
    </div>
  )
}
