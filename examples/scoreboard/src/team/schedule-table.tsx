import { LineFragmentDoc, readFragment } from 'statline-client'
import type { FragmentType, TeamScheduleQuery } from 'statline-client'
import { decimal, signed } from '../parts/numbers.ts'
import { SortableTable } from '../parts/sortable-table.tsx'
import type { Column } from '../parts/sortable-table.tsx'
import { nameOfTeam, TeamLink } from '../parts/team-name.tsx'
import { href } from '../routing/href.ts'
import { seenBy } from './seen-by.ts'
import type { Played } from './seen-by.ts'
import './schedule-table.css'

type Row = NonNullable<NonNullable<NonNullable<TeamScheduleQuery['league']>['team']>['games']>[number]

export interface Scheduled {
  readonly id: string
  /** `YYYY-MM-DD`. */
  readonly date: string | null
  readonly game: Played
  readonly line: FragmentType<typeof LineFragmentDoc> | null | undefined
  readonly result: Row['lineResult']
}

/** The spread on the team, whose home it may not be. */
function spreadOf({ game, line }: Scheduled, teamId: string): number | null {
  const { spreadHome, spreadAway } = readFragment(LineFragmentDoc, line) ?? {}
  return (seenBy(game, teamId).isHome ? spreadHome : spreadAway) ?? null
}

/** `beat it`, `lost to it` or `push`. */
function againstSpread({ game, result }: Scheduled, teamId: string): string {
  if (!result?.spread) return ''
  if (result.spread === 'PUSH') return 'push'
  return (result.spread === 'HOME') === seenBy(game, teamId).isHome ? 'won' : 'lost'
}

const totals = { OVER: 'over', UNDER: 'under', PUSH: 'push' } as const

const columnsOf = (teamId: string): readonly Column<Scheduled>[] => {
  const seen = ({ game }: Scheduled) => seenBy(game, teamId)
  return [
    {
      label: 'Opponent',
      words: true,
      upwards: true,
      cell: (row) => (
        <span className="opponent">
          <span className="where">{seen(row).where}</span>
          <TeamLink team={seen(row).opponent} short="on phones" />
        </span>
      ),
      value: (row) => nameOfTeam(seen(row).opponent),
    },
    { label: 'Day', words: true, upwards: true, cell: (row) => seen(row).day, value: ({ date }) => date },
    {
      label: 'Result',
      words: true,
      cell: (row) => (
        <a href={href.game(row.id)} className={`outcome ${seen(row).outcome ?? ''}`}>
          {[seen(row).score, seen(row).text].filter(Boolean).join(', ')}
        </a>
      ),
      value: (row) => {
        const { own, other, outcome } = seen(row)
        return outcome ? (own ?? 0) - (other ?? 0) : null
      },
    },
    {
      label: 'Spread',
      meaning: 'Points given to the team by the closing line, or by the current one',
      cell: (row) => signed(spreadOf(row, teamId)),
      value: (row) => spreadOf(row, teamId),
    },
    {
      label: 'ATS',
      meaning: 'Against the spread: won if the team beat it',
      cell: (row) => againstSpread(row, teamId) || '–',
      value: (row) => againstSpread(row, teamId) || null,
    },
    {
      label: 'Total',
      meaning: 'Points of both teams by the line',
      cell: ({ line }) => decimal(readFragment(LineFragmentDoc, line)?.over).replace(/\.0$/, ''),
      value: ({ line }) => readFragment(LineFragmentDoc, line)?.over,
    },
    {
      label: 'O/U',
      meaning: 'Whether both teams’ points were over or under the total',
      cell: ({ result }) => (result?.total ? totals[result.total] : '–'),
      value: ({ result }) => result?.total,
    },
  ]
}

/** A team’s games with the line and the result against it. */
export function ScheduleTable({ games, teamId }: { games: readonly Scheduled[]; teamId: string }) {
  return (
    <SortableTable
      caption="Games of the season"
      columns={columnsOf(teamId)}
      rows={games}
      keyOf={({ id }) => id}
      order={{ at: 1, upwards: true }}
    />
  )
}
