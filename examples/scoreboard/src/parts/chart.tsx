import { useId, useState } from 'react'
import { lineThrough, scale, ticksOf } from './axis.ts'
import { dayOf } from './numbers.ts'
import { Scrubber } from './scrubber.tsx'
import { useWidth } from './width.ts'
import './chart.css'

export interface Point {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly value: number
  readonly label: string
  /** A win is drawn as a full dot, a loss as an empty one. */
  readonly outcome?: 'won' | 'lost' | null
}

export interface Line {
  readonly name: string
  readonly color: string
  readonly points: readonly Point[]
}

interface LineChartProps {
  readonly title: string
  readonly lines: readonly Line[]
  readonly format: (value: number) => string
}

const height = 240
const inset = { left: 48, right: 12, top: 12, bottom: 26 }

interface Place {
  readonly x: (at: number) => number
  readonly y: (value: number) => number
}

function Curve({ line: { color, points }, x, y, chosen }: Place & { line: Line; chosen: Point | undefined }) {
  return (
    <g>
      <path
        className="curve"
        d={lineThrough(points.map((point) => ({ x: x(point.at), y: y(point.value) })))}
        stroke={color}
      />
      {points.map((point, at) => (
        <circle
          key={at}
          cx={x(point.at)}
          cy={y(point.value)}
          r={point === chosen ? 6 : 3.5}
          fill={point.outcome === 'lost' ? 'var(--panel)' : color}
          stroke={color}
          strokeWidth="1.5"
        />
      ))}
    </g>
  )
}

/** The numbers of a chart, for those who read rather than look. */
function Numbers({ title, lines, format }: LineChartProps) {
  return (
    <details className="numbers">
      <summary>{title}, as a table</summary>
      {lines.map(({ name, points }) => (
        <table key={name}>
          <caption>{name}</caption>
          <thead>
            <tr>
              <th scope="col" className="words">
                When
              </th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ label, value }, at) => (
              <tr key={at}>
                <th scope="row" className="words">
                  {label}
                </th>
                <td>{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </details>
  )
}

function Legend({ lines }: { lines: readonly Line[] }) {
  const hasOutcomes = lines.some(({ points }) => points.some(({ outcome }) => outcome))
  if (lines.length < 2 && !hasOutcomes) return null
  return (
    <ul className="legend">
      {lines.length > 1 &&
        lines.map(({ name, color }) => (
          <li key={name}>
            <span className="swatch" style={{ background: color }} /> {name}
          </li>
        ))}
      {hasOutcomes && <li>● won ○ lost</li>}
    </ul>
  )
}

/** Lines over days. Its points are read one by one with the slider, and a table has all numbers. */
export function LineChart({ title, lines, format }: LineChartProps) {
  const id = useId()
  const [ref, width] = useWidth()
  const [chosenAt, setChosen] = useState<number | null>(null)
  const points = lines.flatMap((line) => line.points.map((point) => ({ point, line })))
  const inOrder = points.toSorted((a, b) => a.point.at - b.point.at)
  const last = inOrder.length - 1
  const at = Math.min(chosenAt ?? last, last)
  const chosen = inOrder[at]
  const [first, end] = [inOrder[0]?.point, inOrder[last]?.point]
  if (!chosen || !first || !end) return null
  const values = points.map(({ point }) => point.value)
  const ticks = ticksOf(Math.min(...values), Math.max(...values))
  const y = scale([ticks[0] ?? 0, ticks.at(-1) ?? 1], [height - inset.bottom, inset.top])
  const x = scale([first.at, end.at], [inset.left, width - inset.right])
  const name = lines.length > 1 ? `${chosen.line.name}, ` : ''
  const text = `${name}${chosen.point.label}: ${format(chosen.point.value)}`
  const nearest = (left: number) =>
    inOrder.reduce(
      (best, { point }, index) =>
        Math.abs(x(point.at) - left) < Math.abs(x(inOrder[best]?.point.at ?? 0) - left) ? index : best,
      0,
    )
  return (
    <figure className="chart">
      <figcaption id={id}>{title}</figcaption>
      <p className="readout">{text}</p>
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
          {ticks.map((tick) => (
            <g key={tick}>
              <line className="grid" x1={inset.left} x2={width - inset.right} y1={y(tick)} y2={y(tick)} />
              <text className="tick" x={inset.left - 8} y={y(tick) + 4} textAnchor="end">
                {format(tick)}
              </text>
            </g>
          ))}
          <text className="tick" x={inset.left} y={height - 6}>
            {dayOf(new Date(first.at).toISOString())}
          </text>
          <text className="tick" x={width - inset.right} y={height - 6} textAnchor="end">
            {dayOf(new Date(end.at).toISOString())}
          </text>
          {lines.map((line) => (
            <Curve key={line.name} line={line} x={x} y={y} chosen={chosen.point} />
          ))}
        </svg>
      </div>
      <Scrubber label="Game" count={inOrder.length} at={at} onMove={setChosen} text={text} />
      <Legend lines={lines} />
      <Numbers title={title} lines={lines} format={format} />
    </figure>
  )
}
