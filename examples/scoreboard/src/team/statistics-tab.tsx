import { useTeamRatings, type useTeamSeason } from 'statline-client/react'
import { useTeamColor } from '../parts/color.ts'
import { ordinal } from '../parts/numbers.ts'
import { SortableTable } from '../parts/sortable-table.tsx'
import type { Column } from '../parts/sortable-table.tsx'
import { statistic, valueOf } from '../parts/statistics.ts'
import { Part } from '../parts/states.tsx'
import { readTeam } from '../parts/team-name.tsx'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { teamAverages } from './averages.ts'
import { RatingChart } from './rating-chart.tsx'
import type { TeamPage } from './team.tsx'

type Average = ReturnType<typeof teamAverages>[number]

const columnsOf = (season: number): readonly Column<Average>[] => [
  {
    label: 'Statistic',
    words: true,
    cell: ({ name }) => (
      <>
        <a href={href.leaders('teams', season, name)}>{statistic(name, 'teams').label}</a>{' '}
        <small>{statistic(name).meaning}</small>
      </>
    ),
  },
  { label: 'Value', cell: ({ name, value }) => valueOf(name, value) },
  {
    label: 'Rank',
    upwards: true,
    cell: ({ rank }) => (rank == null ? '–' : ordinal(rank)),
    value: ({ rank }) => rank,
  },
]

const whole = (rating: number | null | undefined) => (rating == null ? '–' : String(Math.round(rating)))

interface StatisticsTabProps {
  readonly id: string
  readonly season: number
  readonly team: TeamPage
  readonly shown: ReturnType<typeof useTeamSeason>
}

/** The team’s rating after each game with its opponents, and all statistics with their ranks. */
export function StatisticsTab({ id, season, team, shown }: StatisticsTabProps) {
  const rated = useTeamRatings({ teamId: id, season, ...league() })
  const ratings = rated.data?.league?.team
  const color = useTeamColor(readTeam(team))
  return (
    <>
      <section className="panel rated">
        <Part
          of={rated}
          value={ratings?.eloHistory}
          field="eloHistory"
          what="ratings"
          empty="No ratings in this season."
        >
          {(history) => <RatingChart history={history} teamId={id} color={color} />}
        </Part>
        {ratings?.scheduleStrength && (
          <p className="under">
            Mean rating of its opponents: {whole(ratings.scheduleStrength.played)} so far,{' '}
            {whole(ratings.scheduleStrength.remaining)} to come.
          </p>
        )}
      </section>
      <Part
        of={shown}
        value={teamAverages(team.stats)}
        field="stats"
        what="statistics"
        empty="No statistics in this season."
      >
        {(averages) => (
          <SortableTable
            caption="Averages a game, and where they rank"
            columns={columnsOf(season)}
            rows={averages}
            keyOf={({ name }) => name}
          />
        )}
      </Part>
    </>
  )
}
