import { TeamMark } from '../parts/team-name.tsx'
import type { Match, Matches } from './matches.ts'

interface OptionProps {
  readonly match: Match
  readonly id: string
  readonly isActive: boolean
  readonly team: string | undefined
  readonly onPick: () => void
}

function Option({ match, id, isActive, team: plays, onPick }: OptionProps) {
  const { name, kind, years, team } = match
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
      <small>{[kind, plays, years].filter(Boolean).join(' · ')}</small>
    </li>
  )
}

const counted = (count: number) => `${count} result${count === 1 ? '' : 's'}`

function stateOf({ matches, isGuess, isLoading, failure }: Matches): string {
  if (failure) return 'The search failed.'
  if (isLoading) return 'Searching…'
  if (matches.length === 0) return 'Nothing found.'
  return isGuess ? `Nothing has this name. ${counted(matches.length)} like it:` : counted(matches.length)
}

interface ResultsProps {
  readonly id: string
  readonly found: Matches
  /** The name of each player's team, by the player's id. */
  readonly teams: ReadonlyMap<string, string>
  readonly isShown: boolean
  /** The position of the result that the arrows have chosen. */
  readonly active: number
  readonly onPick: (match: Match) => void
}

/** The list below the search: how many results there are, and the results. */
export function Results({ id, found, teams, isShown, active, onPick }: ResultsProps) {
  const { matches, isGuess } = found
  return (
    <div className="matches" hidden={!isShown}>
      <p role="status" className={matches.length > 0 && !isGuess ? 'hidden' : undefined}>
        {isShown ? stateOf(found) : ''}
      </p>
      <ul id={`${id}-list`} role="listbox" aria-label="Results">
        {matches.map((match, at) => (
          <Option
            key={match.key}
            id={`${id}-${at}`}
            match={match}
            isActive={at === active}
            team={teams.get(match.key)}
            onPick={() => onPick(match)}
          />
        ))}
      </ul>
    </div>
  )
}
