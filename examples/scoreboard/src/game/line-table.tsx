import { decimal, signed } from '../parts/numbers.ts'
import { Moment } from '../parts/moment.tsx'
import type { LinePhase } from './movement.ts'
import './line-table.css'

const total = (value: number | null) => decimal(value).replace(/\.0$/, '')

interface LineTableProps {
  readonly phases: readonly LinePhase[]
  /** The teams' short codes. */
  readonly home: string
  readonly away: string
}

/** The lines of a game one below the other: the opening one, the last before the start, the live one. */
export function LineTable({ phases, home, away }: LineTableProps) {
  return (
    <table className="line-table">
      <caption className="hidden">Betting lines</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">
            <span className="hidden">Spread on </span>
            {home}
          </th>
          <th scope="col">Total</th>
          <th scope="col">{away} to win</th>
          <th scope="col">{home} to win</th>
        </tr>
      </thead>
      <tbody>
        {phases.map(({ label, line }) => (
          <tr key={label} className={line.isLive ? 'live' : undefined}>
            <th scope="row">
              {label} <span className="hidden">line</span>
              <small>
                <Moment at={line.at} />
              </small>
            </th>
            <td>{signed(line.spread)}</td>
            <td>{total(line.total)}</td>
            <td>{signed(line.moneyAway)}</td>
            <td>{signed(line.moneyHome)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
