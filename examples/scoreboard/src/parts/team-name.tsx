import { readFragment, TeamNameFragmentDoc } from 'statline-client'
import type { FragmentType } from 'statline-client'
import { useTeamColor } from './color.ts'
import { href } from '../routing/href.ts'
import { season as lastSeason } from '../routing/season.ts'
import './team-name.css'

export type TeamKey = FragmentType<typeof TeamNameFragmentDoc> | null | undefined

export const readTeam = (team: TeamKey) => readFragment(TeamNameFragmentDoc, team)

/** A team’s colours as a mark beside its name; only decoration. */
export function TeamMark({ team }: { team: TeamKey }) {
  const known = readTeam(team)
  const color = useTeamColor(known)
  return (
    <svg className="mark" viewBox="0 0 10 10" aria-hidden="true">
      <rect width="10" height="10" rx="2" fill={known?.primaryColor ?? color} stroke={color} />
      {known?.secondaryColor && <path d="M10 0v10H0z" fill={known.secondaryColor} />}
    </svg>
  )
}

export function TeamLink({ team, season }: { team: TeamKey; season?: number | null }) {
  const known = readTeam(team)
  if (!known) return <span>Unknown team</span>
  return (
    <a className="team" href={href.team(known.teamId, season ?? lastSeason.last)}>
      <TeamMark team={team} />
      <span>{known.name ?? known.char6 ?? 'Unnamed team'}</span>
    </a>
  )
}
