import { useEffect } from 'react'
import { useConferences } from 'statline-client/react'
import { Part, useTitle } from '../parts/states.tsx'
import { href } from '../routing/href.ts'
import { navigate } from '../routing/location.ts'
import { base, league } from '../routing/route.ts'
import { ConferenceTable } from './conference-table.tsx'
import './standings.css'

const item = () => `statline-conference ${base()}`

/** The conference that was last shown in this browser. */
function lastShown(): string | null {
  try {
    return localStorage.getItem(item())
  } catch {
    return null
  }
}

function useLastShown(id: string | undefined) {
  useEffect(() => {
    try {
      if (id) localStorage.setItem(item(), id)
    } catch {
      // A browser that keeps nothing shows the first conference.
    }
  }, [id])
}

interface StandingsProps {
  /** The conference; without it the one that was last shown, or the first. */
  readonly id?: string
  readonly season?: number | undefined
}

/** The table of a conference: as it stands, and as it is projected to end. */
export function Standings({ id, season }: StandingsProps) {
  const shown = useConferences(league(), { maxAge: Infinity })
  const conferences = shown.data?.league?.conferences?.toSorted((a, b) =>
    (a.name ?? '').localeCompare(b.name ?? ''),
  )
  const last = conferences?.find(({ conferenceId }) => conferenceId === lastShown())
  const chosen = id ?? (last ?? conferences?.[0])?.conferenceId
  const name = conferences?.find(({ conferenceId }) => conferenceId === chosen)?.name
  useTitle(name ? `${name} standings` : 'Standings')
  useLastShown(id)
  const choose = (other: string) => {
    // Going back must show this conference again, not the one that was last shown.
    if (chosen) history.replaceState(history.state, '', href.conference(chosen, season))
    navigate(href.conference(other, season))
  }
  return (
    <>
      <div className="standings-head">
        <h1>{name ?? 'Standings'}</h1>
        {conferences && conferences.length > 1 && (
          <label>
            <span className="hidden">Conference</span>
            <select value={chosen} onChange={({ target }) => choose(target.value)}>
              {conferences.map(({ conferenceId, name: other }) => (
                <option key={conferenceId} value={conferenceId}>
                  {other ?? 'Conference'}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {chosen ? (
        <ConferenceTable id={chosen} season={season} />
      ) : (
        <Part
          of={shown}
          value={conferences}
          field="conferences"
          what="conferences"
          empty="This league has no conferences."
        >
          {() => null}
        </Part>
      )}
    </>
  )
}
