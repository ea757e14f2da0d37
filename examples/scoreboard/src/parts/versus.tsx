import type { ReactNode } from 'react'
import { ordinal } from './numbers.ts'
import './versus.css'

export interface Compared {
  readonly label: string
  readonly values: readonly [number | null, number | null]
  readonly ranks?: readonly [number | null, number | null]
  /** A value as it is read. */
  readonly show: (value: number | null, side: 0 | 1) => string
  readonly isLeastBest?: boolean
  /** Neither side is better for it. */
  readonly isNeither?: boolean
}

interface VersusProps {
  readonly caption: string
  readonly rows: readonly Compared[]
  /** The two sides, as they head their columns. */
  readonly heads: readonly [ReactNode, ReactNode]
  readonly colors: readonly [string, string]
}

/** How long each side's bar is, 0 to 1: the longer of the two is 1. */
export function lengthsOf([a, b]: Compared['values']): readonly [number, number] {
  if (a === null || b === null) return [0, 0]
  // Below zero there is no length: both are seen from a floor under the lower one.
  const floor = Math.min(0, a, b) * 2
  const most = Math.max(a - floor, b - floor)
  return most > 0 ? [(a - floor) / most, (b - floor) / most] : [0, 0]
}

/** Which side is better: by rank if both have one, else by value; null if neither is. */
export function betterOf({ values: [a, b], ranks, isLeastBest, isNeither }: Compared): 0 | 1 | null {
  if (isNeither) return null
  const [one, other] = ranks ?? [null, null]
  if (one !== null && other !== null) return one === other ? null : one < other ? 0 : 1
  if (a === null || b === null || a === b) return null
  return a > b !== Boolean(isLeastBest) ? 0 : 1
}

function Side({ row, side, color }: { row: Compared; side: 0 | 1; color: string }) {
  const rank = row.ranks?.[side]
  const length = lengthsOf(row.values)[side]
  return (
    <td className={betterOf(row) === side ? 'better' : undefined}>
      <span className="versus-value">
        {row.show(row.values[side], side)}
        {rank != null && <small>{ordinal(rank)}</small>}
      </span>
      <span
        className="versus-bar"
        style={{ inlineSize: `${Math.round(length * 100)}%`, background: color }}
        aria-hidden="true"
      />
    </td>
  )
}

/** Two sides' numbers as bars on either side of what they are called. */
export function Versus({ caption, rows, heads, colors }: VersusProps) {
  return (
    <div className="panel">
      <table className="versus">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{heads[0]}</th>
            <td />
            <th scope="col">{heads[1]}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.label}>
              <Side row={row} side={0} color={colors[0]} />
              <th scope="row">{row.label}</th>
              <Side row={row} side={1} color={colors[1]} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
