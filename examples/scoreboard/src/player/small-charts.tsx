import { scale } from '../parts/axis.ts'
import { decimal } from '../parts/numbers.ts'
import { byStart, seenBy } from '../team/seen-by.ts'
import { nameOfTeam } from '../parts/team-name.tsx'
import type { Log } from './game-log.tsx'
import { columnMeanings, numberIn, playerLines } from './player-line.ts'
import './small-charts.css'

const [height, gap] = [56, 2]

interface SmallChartProps {
  readonly title: string
  readonly values: readonly (number | null)[]
  readonly labels: readonly string[]
}

/** One statistic of every game as bars, and its mean as a line. */
function SmallChart({ title, values, labels }: SmallChartProps) {
  const known = values.filter((value) => value !== null)
  const [least, most] = [Math.min(...known, 0), Math.max(...known, 1)]
  const mean = known.reduce((sum, value) => sum + value, 0) / (known.length || 1)
  const y = scale([least, most], [height, 0])
  const width = values.length * 10
  return (
    <figure className="small-chart">
      <figcaption>
        {title}{' '}
        <small>
          {decimal(mean)} a game, at most {Math.max(...known)}
        </small>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {values.map((value, at) => (
          <rect
            key={labels[at]}
            x={at * 10 + gap / 2}
            width={10 - gap}
            y={y(Math.max(value ?? 0, 0))}
            height={Math.abs(y(value ?? 0) - y(0))}
          >
            <title>{`${labels[at]}: ${value ?? '–'}`}</title>
          </rect>
        ))}
        <line x1="0" x2={width} y1={y(mean)} y2={y(mean)} vectorEffect="non-scaling-stroke" />
      </svg>
    </figure>
  )
}

/** A cell's number. A kind of play that a football player took no part in is left empty, and counts as 0. */
const amountIn = (cell: string | undefined) => (cell === '' ? 0 : numberIn(cell))

/** How a player’s first statistics went from game to game. The log below has the same numbers. */
export function SmallCharts({ log }: { log: Log }) {
  const games = log.toSorted((a, b) => (a.game && b.game ? byStart(a.game, b.game) : 0))
  const { columns, cells } = playerLines(games)
  const labels = games.map(({ game, teamId }, at) => {
    const seen = game && seenBy(game, teamId ?? '')
    return seen ? `${seen.day} ${seen.where} ${nameOfTeam(seen.opponent)}` : `Game ${at + 1}`
  })
  const series = columns
    .map((label, at) => ({ label, values: games.map((box) => amountIn(cells(box)[at])) }))
    .filter(({ values }) => values.some((value) => value))
  const first = ['Pts', 'Reb', 'Ast', 'Min', 'Pass yds', 'Rush yds', 'Rec yds', 'Catches', 'Tackles', 'Sacks']
  const shown = first.flatMap((label) => series.find((one) => one.label === label) ?? []).slice(0, 4)
  if (games.length < 2 || shown.length === 0) return null
  return (
    <div className="small-charts">
      {shown.map(({ label, values }) => (
        <SmallChart key={label} title={columnMeanings[label] ?? label} values={values} labels={labels} />
      ))}
    </div>
  )
}
