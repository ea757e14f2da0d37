import { LineRecordPartsFragmentDoc, readFragment, TeamRecordFragmentDoc } from 'statline-client'
import type { TeamSeasonQuery } from 'statline-client'
import { useTeamSeason } from 'statline-client/react'
import { EmptySeason } from '../parts/empty-season.tsx'
import { FavouriteButton } from '../parts/favourite-button.tsx'
import { SeasonPicker } from '../parts/season-picker.tsx'
import { Part, useTitle } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { nameOfTeam, readTeam, TeamMark } from '../parts/team-name.tsx'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import type { TeamTab } from '../routing/route.ts'
import { season as lastSeason } from '../routing/season.ts'
import { NothingHere } from '../shell/nothing-here.tsx'
import { Conference } from './conference.tsx'
import { Overview } from './overview.tsx'
import { recordOf, spreadRecordOf, streakOf, totalRecordOf } from './record.ts'
import { RosterTab } from './roster-tab.tsx'
import { ScheduleTab } from './schedule-tab.tsx'
import { StatisticsTab } from './statistics-tab.tsx'
import '../parts/panel.css'
import '../parts/facts.css'
import './team.css'

export type TeamPage = NonNullable<NonNullable<TeamSeasonQuery['league']>['team']>

const tabs: readonly (readonly [string, TeamTab | undefined])[] = [
  ['Overview', undefined],
  ['Schedule', 'schedule'],
  ['Statistics', 'statistics'],
  ['Roster', 'roster'],
]

/** The season in a few numbers: record, streak, against the spread, overs and unders. */
function Facts({ team }: { team: TeamPage }) {
  const record = readFragment(TeamRecordFragmentDoc, team.stats)
  const lines = readFragment(LineRecordPartsFragmentDoc, team.lineRecord?.all)
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['Record', record && recordOf(record)],
    ['Streak', record && streakOf(record)],
    ['Against the spread', lines && spreadRecordOf(lines)],
    ['Over–under', lines && totalRecordOf(lines)],
    ['Last 10', team.form && `${team.form.wins}–${team.form.losses}`],
  ]
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** What of the season only the overview shows, which tells its failure itself. */
const ofOverview = ['aroundNow', 'lineRecord']
/** Failures that a tab tells itself, or that are of what it does not show. */
const toldBy = (tab: TeamTab | undefined) => (tab === 'statistics' ? [...ofOverview, 'stats'] : ofOverview)

interface TeamProps {
  readonly id: string
  /** Without it, the season under way. */
  readonly season: number | undefined
  readonly tab?: TeamTab | undefined
}

/** A team’s season: its record and what comes next, and its other parts in tabs, paid for when shown. */
export function Team({ id, season, tab }: TeamProps) {
  const shown = useTeamSeason({ teamId: id, season: season ?? null, ...league() })
  const team = shown.data?.league?.team
  useTitle(readTeam(team)?.name ?? 'Team')
  return (
    <Part
      of={shown}
      value={team}
      field="team"
      what="the team"
      empty={<NothingHere why="There is no such team." />}
      title="Team"
      told={toldBy(tab)}
    >
      {(found) => {
        const year = season ?? found.stats?.season ?? lastSeason.last
        const isEmpty = shown.errors.length === 0 && !found.stats && found.aroundNow?.length === 0
        return (
          <>
            <header className="team-head">
              <TeamMark team={found} />
              <div>
                <h1>{nameOfTeam(found)}</h1>
                <p className="team-conference">
                  <Conference teamId={id} season={season} />
                </p>
              </div>
              <FavouriteButton team={found} />
              {!isEmpty && <Facts team={found} />}
            </header>
            <Tabs
              label="Team"
              tabs={tabs.map(([label, to]) => ({
                label,
                href: href.team(id, season, to),
                isShown: to === tab,
              }))}
            />
            <div className="team-season">
              <SeasonPicker season={year} hrefOf={(other) => href.team(id, other, tab)} />
              <a href={href.compare('teams', id)}>Compare with another team</a>
            </div>
            {isEmpty && tab !== 'roster' ? (
              <EmptySeason what="games" season={year} hrefOf={(other) => href.team(id, other, tab)} />
            ) : (
              <Shown tab={tab} id={id} season={year} team={found} shown={shown} />
            )}
          </>
        )
      }}
    </Part>
  )
}

interface ShownProps {
  readonly tab: TeamTab | undefined
  readonly id: string
  readonly season: number
  readonly team: TeamPage
  readonly shown: ReturnType<typeof useTeamSeason>
}

function Shown({ tab, id, season, team, shown }: ShownProps) {
  switch (tab) {
    case 'schedule':
      return <ScheduleTab id={id} season={season} />
    case 'statistics':
      return <StatisticsTab id={id} season={season} team={team} shown={shown} />
    case 'roster':
      return <RosterTab id={id} season={season} />
    default:
      return <Overview id={id} season={season} team={team} shown={shown} />
  }
}
