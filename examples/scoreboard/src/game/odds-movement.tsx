import { useOddsMovement } from 'statline-client/react'
import { LineChart } from '../parts/chart.tsx'
import type { Point } from '../parts/chart.tsx'
import { dayOf, signed, timeOf } from '../parts/numbers.ts'
import { league } from '../routing/route.ts'
import { Part } from '../parts/states.tsx'

interface Movement {
  readonly live?: boolean | null
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

/** Days before the game and minutes during it do not fit on one axis, so each gets a chart. */
function chartsOf(history: readonly Movement[], home: string) {
  return [false, true].flatMap((live) => {
    const rows = history.filter((row) => Boolean(row.live) === live)
    const when = live ? 'during' : 'before'
    return [
      { title: `Spread on ${home} ${when} the game`, points: pointsOf(rows, 'spreadHome'), format: signed },
      { title: `Total ${when} the game`, points: pointsOf(rows, 'over'), format: String },
    ].filter(({ points }) => points.length > 0)
  })
}

/** The movement of the line, from the opening to the last. */
export function OddsMovement({ gameId, home, color }: { gameId: string; home: string; color: string }) {
  const shown = useOddsMovement({ gameId, ...league() })
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
            {chartsOf(rows, home).map(({ title, points, format }) => (
              <LineChart key={title} title={title} points={points} color={color} stepped format={format} />
            ))}
          </div>
        )}
      </Part>
    </section>
  )
}
