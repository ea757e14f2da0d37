import { useEffect, useState } from 'react'
import { LeadersDocument } from 'statline-client'
import type { LeadersQuery } from 'statline-client'
import { nameOf, ordinal, whole } from '../parts/numbers.ts'
import { PricedPart, usePriced } from '../parts/priced.tsx'
import { SortableTable } from '../parts/sortable-table.tsx'
import type { Column } from '../parts/sortable-table.tsx'
import { statistic, valueOf } from '../parts/statistics.ts'
import { Part } from '../parts/states.tsx'
import { codeOfTeam, TeamLink } from '../parts/team-name.tsx'
import { href } from '../routing/href.ts'
import { navigate } from '../routing/location.ts'
import { league } from '../routing/route.ts'
import type { Subject } from '../routing/route.ts'
import { LeagueAverages } from './averages.tsx'
import { firstOf, statisticsOf } from './statistics.ts'

interface RankingProps {
  readonly subject: Subject
  readonly season: number
  readonly by: string | undefined
}

type Connection = NonNullable<NonNullable<LeadersQuery['league']>['ranking']>
type Edge = Connection['edges'][number]

const pageSize = 25

const statOf = ({ node }: Edge, name: string) => node?.stats.find((stat) => stat.name === name)

function Who({ edge: { node } }: { edge: Edge }) {
  if (node?.__typename === 'TeamStatRanking') return <TeamLink team={node.team} season={node.season} />
  if (node?.__typename !== 'PlayerStatRanking' || !node.player) return '–'
  return (
    <>
      <a href={href.player(node.player.playerId, node.season)}>{nameOf(node.player)}</a>{' '}
      <small>{[node.player.position, codeOfTeam(node.team)].filter(Boolean).join(', ')}</small>
    </>
  )
}

const gamesOf = ({ node }: Edge) => (node && 'games' in node ? node.games : null)

/** One column for each statistic that some row has; a click on one sorts the whole division by it. */
function columnsOf(
  edges: readonly Edge[],
  names: readonly string[],
  { by, subject }: { by: string; subject: Subject },
): Column<Edge>[] {
  const counted = names.filter((name) => edges.some((edge) => statOf(edge, name)?.value != null))
  const rank = (edge: Edge) => statOf(edge, by)?.rank
  return [
    { label: 'Name', words: true, cell: (edge) => <Who edge={edge} /> },
    { label: 'Rank', cell: (edge) => (rank(edge) == null ? '–' : ordinal(rank(edge) ?? 0)) },
    ...counted.map((name): Column<Edge> => ({
      label: statistic(name).short,
      meaning: statistic(name, subject).label,
      cell: (edge) => valueOf(name, statOf(edge, name)?.value),
      value: (edge) => statOf(edge, name)?.value,
      upwards: statistic(name).isLeastBest ?? false,
    })),
    { label: 'G', meaning: 'Games', cell: (edge) => whole(gamesOf(edge)) },
  ]
}

/**
 * The leaders by a statistic; without one, by the first that the league’s rows have. One download of the
 * division: any other statistic of it is free then.
 */
function useRanking({ subject, season, by: asked }: RankingProps, first: number) {
  const [at, setAt] = useState(0)
  const choices = asked ? [asked] : firstOf(subject)
  const by = choices[at] ?? asked ?? ''
  const names = [...new Set([...statisticsOf(subject, by), by])]
  const shown = usePriced(LeadersDocument, {
    subject: subject === 'teams' ? 'TEAM' : 'PLAYER',
    season,
    orderBy: by,
    names,
    first,
    ...league(),
  })
  const isOthers = shown.errors.some(({ extensions }) => extensions?.code === 'BAD_USER_INPUT')
  const isNext = isOthers && at + 1 < choices.length
  useEffect(() => {
    if (isNext) setAt((last) => last + 1)
  }, [isNext])
  return { shown, by, names, isOthers: isOthers && !isNext }
}

/** The best of a division by a statistic, with the others beside it. */
export function Ranking(props: RankingProps) {
  const { subject, season } = props
  const [first, setFirst] = useState(pageSize)
  const { shown, by, names, isOthers } = useRanking(props, first)
  const ranking = shown.data?.league?.ranking
  if (isOthers) return <p className="empty">This league does not count that.</p>
  return (
    <PricedPart
      of={shown}
      what={`All ${subject} of the season, to be sorted by any statistic`}
      after={subject === 'teams' && <LeagueAverages season={season} />}
    >
      <Part
        of={shown}
        value={ranking?.edges}
        field="ranking"
        what="the leaders"
        empty="Nobody is ranked in this season."
      >
        {(edges) => {
          const columns = columnsOf(edges, names, { by, subject })
          const at = columns.findIndex(({ label }) => label === statistic(by).short)
          return (
            <>
              <SortableTable
                caption={`${statistic(by, subject).label}: the best ${edges.length} of ${ranking?.totalCount}`}
                columns={columns}
                rows={edges}
                keyOf={({ cursor }) => cursor}
                order={{ at, upwards: statistic(by).isLeastBest ?? false }}
                onOrder={(order) => {
                  const name = names.find((one) => statistic(one).short === columns[order.at]?.label)
                  if (name) navigate(href.leaders(subject, season, name))
                }}
              />
              {edges.length < (ranking?.totalCount ?? 0) && (
                <button type="button" onClick={() => setFirst(first + pageSize)}>
                  Show {pageSize} more
                </button>
              )}
            </>
          )
        }}
      </Part>
    </PricedPart>
  )
}
