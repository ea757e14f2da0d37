import { readFragment, TeamRecordFragmentDoc } from 'statline-client'
import { useStandings } from 'statline-client/react'
import { decimal } from '../parts/numbers.ts'
import { href } from '../routing/href.ts'
import { season as lastSeason } from '../routing/season.ts'
import { SeasonPicker } from '../parts/season-picker.tsx'
import { Part, useTitle } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { TeamLink } from '../parts/team-name.tsx'

/** A conference’s projected table. */
export function Conference({ id, season }: { id: string; season: number }) {
  lastSeason.last = season
  const shown = useStandings({ conferenceId: id, season })
  const conference = shown.data?.conference
  useTitle(conference?.name ?? 'Standings')
  return (
    <>
      <h1>{conference?.name ?? 'Standings'}</h1>
      <SeasonPicker season={season} hrefOf={(year) => href.conference(id, year)} />
      <Part
        of={shown}
        value={conference?.projection}
        field="projection"
        what="the table"
        empty="No table for this season."
      >
        {({ hasAccess, standings }) => (
          <>
            <p className="under">
              {hasAccess
                ? 'Records so far plus the simulated results of every game to come.'
                : 'Current records: this key’s plan does not include projections.'}
            </p>
            <Table
              caption="Projected standings"
              columns={['Team', 'Conf W', 'Conf L', 'Wins', 'Losses']}
              rows={standings.map((row) => {
                const { confwins, conflosses, wins, losses } = readFragment(TeamRecordFragmentDoc, row)
                const cells = [confwins, conflosses, wins, losses].map((stat) => decimal(stat?.value))
                return {
                  key: row.statisticRankingId,
                  cells: [<TeamLink key="team" team={row.team} season={season} />, ...cells],
                }
              })}
            />
          </>
        )}
      </Part>
    </>
  )
}
