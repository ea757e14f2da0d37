import { useLeagues, useSearch } from 'statline-client/react'
import type { LeaguesQuery } from 'statline-client'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { Loading, Part, useTitle } from '../parts/states.tsx'
import './leagues.css'

type Organization = NonNullable<LeaguesQuery['organizations']>[number]
type Division = NonNullable<LeaguesQuery['divisions']>[number]

/**
 * A division of an organization. The service does not say which divisions an organization has, so this
 * searches for one team, the smallest answer that shows it. Without a team there is no such league.
 */
function League({ of, division }: { of: Organization; division: Division }) {
  const { organizationId } = of
  const { divisionId } = division
  const shown = useSearch({ name: 'a', groups: ['TEAMS'], organizationId, divisionId }, { maxAge: Infinity })
  if (shown.loading) return <Loading what={`${of.name}, ${division.name}`} />
  if (shown.data?.league?.search?.teams?.length === 0) return null
  const isShown = league().organizationId === organizationId && league().divisionId === divisionId
  return (
    <a href={href.league(organizationId, divisionId)} aria-current={isShown ? 'true' : undefined}>
      <strong>{of.name ?? 'Unnamed'}</strong>
      <span>{division.name ?? 'all'}</span>
    </a>
  )
}

/** Links to all leagues of the graph. */
export function LeagueChoice() {
  const shown = useLeagues({})
  const divisions = shown.data?.divisions
  return (
    <Part
      of={shown}
      value={shown.data?.organizations}
      field="organizations"
      what="leagues"
      empty="There are no leagues."
    >
      {(organizations) => (
        <div className="leagues">
          {organizations.flatMap((of) =>
            (divisions ?? []).map((division) => (
              <League key={`${of.id} ${division.id}`} of={of} division={division} />
            )),
          )}
        </div>
      )}
    </Part>
  )
}

export function Leagues() {
  useTitle('Leagues')
  return (
    <>
      <h1>Leagues</h1>
      <LeagueChoice />
    </>
  )
}
