import { useConferences } from 'statline-client/react'
import { Part, useTitle } from '../parts/states.tsx'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'

/** The conferences of the league, each with a table of its own. */
export function Standings({ season }: { season: number | undefined }) {
  useTitle('Standings')
  const shown = useConferences(league(), { maxAge: Infinity })
  return (
    <>
      <h1>Standings</h1>
      <Part
        of={shown}
        value={shown.data?.league?.conferences}
        field="conferences"
        what="conferences"
        empty="This league has no conferences."
      >
        {(conferences) => (
          <ul className="links">
            {conferences
              .toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''))
              .map(({ conferenceId, name }) => (
                <li key={conferenceId}>
                  <a href={href.conference(conferenceId, season)}>{name ?? 'Conference'}</a>
                </li>
              ))}
          </ul>
        )}
      </Part>
    </>
  )
}
