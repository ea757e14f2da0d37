import { decimal, percent, signed } from '../parts/numbers.ts'
import { Moment } from '../parts/moment.tsx'
import { SortableTable } from '../parts/sortable-table.tsx'
import type { Column } from '../parts/sortable-table.tsx'
import { Part } from '../parts/states.tsx'
import type { State } from '../parts/states.tsx'
import { LineTable } from './line-table.tsx'
import { MovementChart } from './movement-chart.tsx'
import { movementsOf, phasesOf } from './movement.ts'
import type { Movement } from './movement.ts'
import { phaseOf } from './scoreline.tsx'
import type { Game } from './scoreline.tsx'
import { movedOf, useSides } from './summary.tsx'

const columnsOf = (home: string, away: string): readonly Column<Movement>[] => [
  { label: 'When', cell: ({ at }) => <Moment at={at} />, value: ({ at }) => at, words: true },
  { label: 'Offered', cell: ({ isLive }) => (isLive ? 'live' : 'before'), words: true },
  { label: home, meaning: `Spread on ${home}`, cell: ({ spread }) => signed(spread) },
  { label: 'Total', cell: ({ total }) => decimal(total).replace(/\.0$/, '') },
  { label: `${away} $`, meaning: `Money line on ${away}`, cell: ({ moneyAway }) => signed(moneyAway) },
  { label: `${home} $`, meaning: `Money line on ${home}`, cell: ({ moneyHome }) => signed(moneyHome) },
  {
    label: `${home} %`,
    meaning: `Chance of ${home} that the money lines stand for, without the bookmaker’s share`,
    cell: ({ homeChance }) => percent(homeChance),
  },
]

/** Every movement of the line. */
export function OddsTab({ game, shown }: { game: Game; shown: State }) {
  return (
    <Part
      of={shown}
      value={movementsOf(game.odds?.history)}
      field="odds"
      what="the lines"
      empty="No line was offered on this game."
    >
      {(movements) => <Movements game={game} movements={movements} />}
    </Part>
  )
}

function Movements({ game, movements }: { game: Game; movements: readonly Movement[] }) {
  const sides = useSides(game)
  const phases = phasesOf(movements, phaseOf(game))
  return (
    <>
      <section className="panel">
        <LineTable phases={phases} home={sides.home.code} away={sides.away.code} />
        <p className="under">{movedOf(phases, sides.home.code)}</p>
      </section>
      {movements.length > 1 && (
        <section className="panel">
          <MovementChart
            movements={movements}
            home={sides.home}
            away={sides.away}
            predicted={game.prediction?.homePercentage ?? null}
          />
        </section>
      )}
      <SortableTable
        caption="Every movement of the line"
        columns={columnsOf(sides.home.code, sides.away.code)}
        rows={movements}
        keyOf={({ id }) => id}
        order={{ at: 0, upwards: false }}
      />
    </>
  )
}
