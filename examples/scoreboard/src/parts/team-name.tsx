import { readFragment, TeamNameFragmentDoc } from 'statline-client'
import type { FragmentType } from 'statline-client'
import { usePanel } from './color.ts'
import { colorsOf, edgeOn, lettersOn } from './contrast.ts'
import { initialsOf } from './initials.ts'
import { href } from '../routing/href.ts'
import { season as lastSeason } from '../routing/season.ts'
import './team-name.css'

export type TeamKey = FragmentType<typeof TeamNameFragmentDoc> | null | undefined

export const readTeam = (team: TeamKey) => readFragment(TeamNameFragmentDoc, team)

/** How a team is called in running text: `Amber Falls`. */
export const nameOfTeam = (team: TeamKey): string => {
  const known = readTeam(team)
  return known?.name ?? known?.char6 ?? 'To be announced'
}

/** A team's short code, at most six letters: `AFU`. */
export const codeOfTeam = (team: TeamKey): string => {
  const known = readTeam(team)
  return known?.char6 ?? known?.name ?? 'TBA'
}

/** A team’s initials in its colours, drawn beside its name: only decoration. As wide as `--mark`. */
export function TeamMark({ team }: { team: TeamKey }) {
  const known = readTeam(team)
  const panel = usePanel()
  const { primary, secondary } = colorsOf(known)
  const initials = initialsOf(known ?? {})
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <circle
        cx="16"
        cy="16"
        r="14.75"
        fill={primary}
        stroke={edgeOn(panel, primary, secondary)}
        strokeWidth="2"
      />
      <text
        x="16"
        y="16.5"
        fontSize={initials.length > 2 ? 10.5 : 13}
        fill={lettersOn(primary, secondary)}
        textAnchor="middle"
        dominantBaseline="central"
      >
        {initials}
      </text>
    </svg>
  )
}

interface TeamLinkProps {
  readonly team: TeamKey
  readonly season?: number | null | undefined
  /** Shows the team's short code: in narrow columns, or only on narrow screens. */
  readonly short?: boolean | 'on phones'
}

/** A team’s mark and name, which lead to its page. */
export function TeamLink({ team, season, short = false }: TeamLinkProps) {
  const known = readTeam(team)
  if (!known) return <span>To be announced</span>
  const { char6: code } = known
  const name = known.name ?? code ?? 'Unnamed team'
  const onPhones = short === 'on phones' && code ? { abbr: 'on-phones', span: 'not-on-phones' } : {}
  return (
    <a className="team" href={href.team(known.teamId, season ?? lastSeason.last)}>
      <TeamMark team={team} />
      {short && code && (
        <abbr className={onPhones.abbr} title={name}>
          {code}
        </abbr>
      )}
      {(short !== true || !code) && <span className={onPhones.span}>{name}</span>}
    </a>
  )
}
