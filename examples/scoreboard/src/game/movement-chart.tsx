import { useId, useState } from 'react'
import { stepsThrough } from '../parts/axis.ts'
import { momentOf } from '../parts/moments.ts'
import { decimal, percent, signed } from '../parts/numbers.ts'
import { Scrubber } from '../parts/scrubber.tsx'
import { useWidth } from '../parts/width.ts'
import type { Movement } from './movement.ts'
import {
  areaOf,
  chanceScale,
  drawnAt,
  frame,
  height,
  spreadFoot,
  spreadScale,
  timeScale,
} from './movement-plot.ts'
import '../parts/chart.css'
import './movement-chart.css'

interface MovementChartProps {
  readonly movements: readonly Movement[]
  /** The teams' short codes and colours. */
  readonly home: { readonly code: string; readonly color: string }
  readonly away: { readonly code: string; readonly color: string }
  /** The predicted chance of a home win before the game. */
  readonly predicted: number | null
}

const total = (value: number | null) => decimal(value).replace(/\.0$/, '')

/** `Feb 14, 4:56 PM, live: CBU 58%, spread CBU −2, total 156` */
function textOf(movement: Movement, code: string): string {
  const when = `${momentOf(movement.at)}, ${movement.isLive ? 'live' : 'before the game'}`
  const chance = movement.homeChance === null ? '' : `${code} ${percent(movement.homeChance)}, `
  return `${when}: ${chance}spread ${code} ${signed(movement.spread)}, total ${total(movement.total)}`
}

const chances = [0, 0.25, 0.5, 0.75, 1]

function ChancePlot({ movements, home, away, predicted, width }: MovementChartProps & { width: number }) {
  const id = useId()
  const { x, start } = timeScale(movements, width)
  const points = drawnAt(movements, x, chanceScale, ({ homeChance }) => homeChance)
  const [area, even] = [areaOf(points), chanceScale(0.5)]
  const [right, foot] = [width - frame.right, chanceScale(0)]
  return (
    <g>
      {chances.map((chance) => (
        <g key={chance}>
          <line
            className={chance === 0.5 ? 'grid even' : 'grid'}
            x1={frame.left}
            x2={right}
            y1={chanceScale(chance)}
            y2={chanceScale(chance)}
          />
          <text
            className={chance === 0.75 || chance === 0.25 ? 'tick team-tick' : 'tick'}
            x={frame.left - 6}
            y={chanceScale(chance) + 4}
            textAnchor="end"
          >
            {chance === 0.75
              ? home.code
              : chance === 0.25
                ? away.code
                : `${Math.max(chance, 1 - chance) * 100}%`}
          </text>
        </g>
      ))}
      <clipPath id={`${id}home`}>
        <rect x="0" y="0" width={width} height={even} />
      </clipPath>
      <clipPath id={`${id}away`}>
        <rect x="0" y={even} width={width} height={foot - even} />
      </clipPath>
      <path className="chance-area" d={area} fill={home.color} clipPath={`url(#${id}home)`} />
      <path className="chance-area" d={area} fill={away.color} clipPath={`url(#${id}away)`} />
      <path className="curve" d={stepsThrough(points)} stroke="currentColor" />
      {predicted !== null && (
        <line
          className="predicted"
          x1={frame.left}
          x2={start?.x ?? right}
          y1={chanceScale(predicted)}
          y2={chanceScale(predicted)}
        />
      )}
    </g>
  )
}

function SpreadPlot({ movements, home, width }: MovementChartProps & { width: number }) {
  const { x } = timeScale(movements, width)
  const { ticks, y, top } = spreadScale(movements)
  const points = drawnAt(movements, x, y, ({ spread }) => spread)
  return (
    <g>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={frame.left} x2={width - frame.right} y1={y(tick)} y2={y(tick)} />
          <text className="tick" x={frame.left - 6} y={y(tick) + 4} textAnchor="end">
            {tick === 0 ? 'even' : signed(tick)}
          </text>
        </g>
      ))}
      <path className="curve" d={stepsThrough(points)} stroke={home.color} />
      <text className="corner" x={frame.left} y={top - 8}>
        Spread on {home.code}
      </text>
    </g>
  )
}

function TimeAxis({ movements, width }: { movements: readonly Movement[]; width: number }) {
  const { start } = timeScale(movements, width)
  const [first, last] = [movements[0], movements.at(-1)]
  const foot = spreadFoot + 20
  return (
    <g>
      {start && <line className="start" x1={start.x} x2={start.x} y1={frame.top} y2={spreadFoot} />}
      {first && (start ? start.x - frame.left > 90 : true) && (
        <text className="tick" x={frame.left} y={foot}>
          {momentOf(first.at).split(',')[0]}
        </text>
      )}
      {start && (
        <text className="tick" x={start.x} y={foot} textAnchor={start.x > frame.left ? 'middle' : 'start'}>
          Start
        </text>
      )}
      {last && (
        <text className="tick" x={width - frame.right} y={foot} textAnchor="end">
          {momentOf(last.at)}
        </text>
      )}
    </g>
  )
}

/** The chances that the money lines stand for and the spread, over one time: days before, minutes during. */
export function MovementChart(props: MovementChartProps) {
  const { movements, home, away, predicted } = props
  const [ref, width] = useWidth()
  const [chosen, setChosen] = useState<number | null>(null)
  const id = useId()
  const last = movements.length - 1
  const at = Math.min(chosen ?? last, last)
  const movement = movements[at]
  if (!movement) return null
  const { x } = timeScale(movements, width)
  const nearest = (left: number) =>
    movements.reduce(
      (best, one, index) =>
        Math.abs(x(one.at) - left) < Math.abs(x(movements[best]?.at ?? 0) - left) ? index : best,
      0,
    )
  return (
    <figure className="movement">
      <figcaption id={id}>Win probability and spread over time</figcaption>
      <p className="readout">{textOf(movement, home.code)}</p>
      <div ref={ref}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-labelledby={id}
          onPointerMove={({ clientX, currentTarget }) =>
            setChosen(nearest(clientX - currentTarget.getBoundingClientRect().left))
          }
          onPointerLeave={() => setChosen(null)}
        >
          <ChancePlot {...props} width={width} />
          <SpreadPlot {...props} width={width} />
          <TimeAxis movements={movements} width={width} />
          <line className="cursor" x1={x(movement.at)} x2={x(movement.at)} y1={frame.top} y2={spreadFoot} />
        </svg>
      </div>
      <Scrubber
        label="Moment of the line"
        count={movements.length}
        at={at}
        onMove={setChosen}
        text={textOf(movement, home.code)}
      />
      <ul className="legend">
        <li>
          <span className="swatch" style={{ background: home.color }} /> {home.code} favoured
        </li>
        <li>
          <span className="swatch" style={{ background: away.color }} /> {away.code} favoured
        </li>
        {predicted !== null && (
          <li>
            <span className="swatch dashed" /> Prediction before the game: {home.code} {percent(predicted)}
          </li>
        )}
      </ul>
    </figure>
  )
}
