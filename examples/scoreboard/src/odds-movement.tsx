import { useOddsMovement } from 'statline/client'
import { LineChart } from './chart.tsx'
import type { Point } from './chart.tsx'
import { dayOf, signed, timeOf } from './numbers.ts'
import { Part } from './states.tsx'

interface Movement {
  readonly dateOfEntry?: string | null
  readonly spreadHome?: number | null
  readonly over?: number | null
}

function pointsOf(history: readonly Movement[], column: 'spreadHome' | 'over'): Point[] {
  return history.flatMap(({ dateOfEntry, [column]: value }) =>
    dateOfEntry && value != null
      ? [{ at: Date.parse(dateOfEntry), value, label: `${dayOf(dateOfEntry)}, ${timeOf(dateOfEntry)}` }]
      : [],
  )
}

/** How the market moved, from the opening line to the last. */
export function OddsMovement({ gameId, home, color }: { gameId: string; home: string; color: string }) {
  const shown = useOddsMovement({ gameId })
  const history = shown.data?.league?.game?.odds?.history
  return (
    <section>
      <h2>Odds movement</h2>
      <Part
        of={shown}
        value={history}
        field="history"
        what="the line’s movement"
        empty="No line was offered."
      >
        {(rows) => (
          <div className="charts">
            <LineChart
              title={`Spread on ${home}`}
              points={pointsOf(rows, 'spreadHome')}
              color={color}
              stepped
              format={signed}
            />
            <LineChart title="Total" points={pointsOf(rows, 'over')} color={color} stepped format={String} />
          </div>
        )}
      </Part>
    </section>
  )
}
