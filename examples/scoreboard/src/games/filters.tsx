import { useParam } from '../routing/location.ts'
import type { Listed } from './listed.ts'
import type { Phase } from './state.ts'
import './filters.css'

const phases: readonly (readonly [Phase, string])[] = [
  ['live', 'Live'],
  ['upcoming', 'Upcoming'],
  ['final', 'Final'],
]

/** Which games of a list are shown; kept in the address. */
export function useFilter() {
  const [status, setStatus] = useParam('status')
  const [conference, setConference] = useParam('conference')
  const inConference = ({ conferenceIds }: Listed) => !conference || conferenceIds.includes(conference)
  const inPhase = ({ phase }: Listed) => !status || phase === status
  const clear = () => {
    setStatus('')
    setConference('')
  }
  return { status, setStatus, conference, setConference, inConference, inPhase, clear }
}

export type Filter = ReturnType<typeof useFilter>

interface FiltersProps {
  readonly filter: Filter
  /** The games of the chosen conference, of every status. */
  readonly games: readonly Listed[]
  readonly conferences: readonly (readonly [string, string])[]
}

/** Chooses games by their status and by conference. */
export function Filters({ filter, games, conferences }: FiltersProps) {
  const { status, setStatus, conference, setConference } = filter
  const shown = phases.filter(([phase]) => phase === status || games.some((game) => game.phase === phase))
  return (
    <div className="filters">
      {shown.length > 1 && (
        <div className="segments" role="group" aria-label="Status">
          <button type="button" aria-pressed={status === ''} onClick={() => setStatus('')}>
            All <span className="count">{games.length}</span>
          </button>
          {shown.map(([phase, label]) => (
            <button
              key={phase}
              type="button"
              aria-pressed={status === phase}
              onClick={() => setStatus(phase)}
            >
              {label} <span className="count">{games.filter((game) => game.phase === phase).length}</span>
            </button>
          ))}
        </div>
      )}
      {conferences.length > 1 && (
        <label>
          <span className="hidden">Conference</span>
          <select value={conference} onChange={({ target }) => setConference(target.value)}>
            <option value="">All conferences</option>
            {conferences.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}
