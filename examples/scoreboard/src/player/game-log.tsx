import { GameStateFragmentDoc, readFragment } from 'statline-client'
import type { PlayerQuery } from 'statline-client'
import { SortableTable } from '../parts/sortable-table.tsx'
import type { Column } from '../parts/sortable-table.tsx'
import { nameOfTeam, TeamLink } from '../parts/team-name.tsx'
import { href } from '../routing/href.ts'
import { seenBy, startOf } from '../team/seen-by.ts'
import { columnMeanings, numberIn, playerLines } from './player-line.ts'
import '../team/game-list.css'
import '../team/schedule-table.css'

export type Log = NonNullable<NonNullable<NonNullable<PlayerQuery['league']>['player']>['gameLog']>
type Logged = Log[number]

const seen = ({ game, teamId }: Logged) => game && seenBy(game, teamId ?? '')

const playedColumns: readonly Column<Logged>[] = [
  {
    label: 'Opponent',
    words: true,
    upwards: true,
    cell: (box) => (
      <span className="opponent">
        <span className="where">{seen(box)?.where}</span>
        <TeamLink team={seen(box)?.opponent} short />
      </span>
    ),
    value: (box) => nameOfTeam(seen(box)?.opponent),
  },
  {
    label: 'Day',
    words: true,
    cell: (box) => seen(box)?.day ?? '–',
    value: ({ game }) => game && startOf(game),
  },
  {
    label: 'Result',
    words: true,
    cell: (box) => {
      const played = seen(box)
      const { gameId } = readFragment(GameStateFragmentDoc, box.game) ?? {}
      if (!played || !gameId) return '–'
      return (
        <a href={href.game(gameId)} className={`outcome ${played.outcome ?? ''}`}>
          {played.text}
        </a>
      )
    },
  },
]

/** A player’s games of a season, newest first, each linked to its game. */
export function GameLog({ log }: { log: Log }) {
  const { columns, cells } = playerLines(log)
  const numbers = columns.map((label, at): Column<Logged> => ({
    label,
    ...(columnMeanings[label] && { meaning: columnMeanings[label] }),
    cell: (box) => cells(box)[at],
    value: (box) => numberIn(cells(box)[at]),
  }))
  return (
    <SortableTable
      caption="Game log"
      columns={[...playedColumns, ...numbers]}
      rows={log}
      keyOf={({ playerBoxscoreId }) => playerBoxscoreId}
      order={{ at: 1, upwards: false }}
    />
  )
}
