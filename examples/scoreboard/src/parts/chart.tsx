import { useId } from 'react'
import './chart.css'

export interface Point {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly value: number
  readonly label: string
}

interface LineChartProps {
  readonly title: string
  readonly points: readonly Point[]
  readonly color?: string
  /** Draws steps: a value stays until the next point, as a betting line does. */
  readonly stepped?: boolean
  readonly format: (value: number) => string
}

const width = 640
const height = 220
const inset = { left: 76, right: 14, top: 14, bottom: 30 }

/** At most six round numbers that cover the values. */
function ticksOf(low: number, high: number): number[] {
  const rough = (high - low || 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? power
  const first = Math.floor(low / step)
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, at) => (first + at) * step)
}

const scale = (from: readonly [number, number], to: readonly [number, number]) => (value: number) =>
  to[0] + ((value - from[0]) / (from[1] - from[0] || 1)) * (to[1] - to[0])

function pathOf(
  points: readonly Point[],
  x: (at: number) => number,
  y: (value: number) => number,
  stepped: boolean,
) {
  return points
    .map(({ at, value }, index) => {
      const [left, top] = [x(at).toFixed(1), y(value).toFixed(1)]
      if (index === 0) return `M${left} ${top}`
      return stepped ? `H${left}V${top}` : `L${left} ${top}`
    })
    .join('')
}

/** A line over time. A table with the same numbers makes it accessible. */
export function LineChart({
  title,
  points,
  color = 'currentColor',
  stepped = false,
  format,
}: LineChartProps) {
  const id = useId()
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const values = points.map(({ value }) => value)
  const ticks = ticksOf(Math.min(...values), Math.max(...values))
  const y = scale([ticks[0] ?? 0, ticks.at(-1) ?? 1], [height - inset.bottom, inset.top])
  const x = scale([first.at, last.at], [inset.left, width - inset.right])
  return (
    <figure className="chart">
      <figcaption id={id}>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="grid" x1={inset.left} x2={width - inset.right} y1={y(tick)} y2={y(tick)} />
            <text className="tick" x={inset.left - 8} y={y(tick) + 4} textAnchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        <text className="tick" x={inset.left} y={height - 6}>
          {first.label}
        </text>
        <text className="tick" x={width - inset.right} y={height - 6} textAnchor="end">
          {last.label}
        </text>
        <path className="curve" d={pathOf(points, x, y, stepped)} stroke={color} />
        {points.map((point) => (
          <circle
            key={point.at}
            cx={x(point.at)}
            cy={y(point.value)}
            r={points.length > 60 ? 1.5 : 3}
            fill={color}
          >
            <title>{`${point.label}: ${format(point.value)}`}</title>
          </circle>
        ))}
      </svg>
      <details>
        <summary>{title} as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.at}>
                <th scope="row">{point.label}</th>
                <td>{format(point.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
