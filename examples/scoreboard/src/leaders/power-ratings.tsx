import { PowerRatingsDocument, readFragment, TeamNameFragmentDoc } from 'statline-client'
import type { PowerRatingsQuery } from 'statline-client'
import { PricedPart, usePriced } from '../parts/priced.tsx'
import { SortableTable } from '../parts/sortable-table.tsx'
import type { Column } from '../parts/sortable-table.tsx'
import { Part } from '../parts/states.tsx'
import { nameOfTeam, TeamLink } from '../parts/team-name.tsx'
import { league } from '../routing/route.ts'
import { LeagueAverages } from './averages.tsx'

type Rated = NonNullable<NonNullable<PowerRatingsQuery['league']>['teams']>[number]

interface Ranked {
  readonly team: Rated
  readonly rank: number
}

/** The teams that have a rating, best first; teams with equal ratings share their rank. */
function rankedOf(teams: readonly Rated[]): Ranked[] {
  const rated = teams.filter(({ elo }) => elo?.elo != null)
  const ratings = rated.map(({ elo }) => elo?.elo ?? 0)
  return rated
    .map((team) => ({ team, rank: 1 + ratings.filter((other) => other > (team.elo?.elo ?? 0)).length }))
    .toSorted((a, b) => a.rank - b.rank)
}

const columnsOf = (season: number): readonly Column<Ranked>[] => [
  {
    label: 'Team',
    words: true,
    upwards: true,
    cell: ({ team }) => <TeamLink team={team} season={season} />,
    value: ({ team }) => nameOfTeam(team),
  },
  { label: 'Rank', upwards: true, cell: ({ rank }) => rank, value: ({ rank }) => rank },
  {
    label: 'Elo',
    meaning: 'Elo rating: 1500 is average, 400 points more mean odds of ten to one',
    cell: ({ team }) => team.elo?.elo,
    value: ({ team }) => team.elo?.elo,
  },
]

/** All teams by their current rating: the smallest list that names every team. */
export function PowerRatings({ season }: { season: number }) {
  const shown = usePriced(PowerRatingsDocument, { season, ...league() })
  return (
    <PricedPart of={shown} what="The ratings of all teams" after={<LeagueAverages season={season} />}>
      <Part
        of={shown}
        value={shown.data?.league?.teams && rankedOf(shown.data.league.teams)}
        field="teams"
        what="ratings"
        empty="No ratings in this season."
      >
        {(ranked) => (
          <SortableTable
            caption="Teams by their rating"
            columns={columnsOf(season)}
            rows={ranked}
            keyOf={({ team }) => readFragment(TeamNameFragmentDoc, team).teamId}
            order={{ at: 1, upwards: true }}
          />
        )}
      </Part>
    </PricedPart>
  )
}
