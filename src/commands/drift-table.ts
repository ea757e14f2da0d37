import type { DriftLine } from '../capabilities/drift.ts'
import { csvLine } from '../money/bill-lines.ts'

/** How a service's answers differ from the specification, for a terminal. */
export function driftTable(lines: readonly DriftLine[]): string {
  if (lines.length === 0) return 'Nothing was seen that the service sends otherwise than specified.'
  const width = Math.max(...lines.map(({ kind }) => kind.length))
  const printed = lines.map(({ kind, where, count }) => `${kind.padEnd(width)}  ${where}  (${count} rows)`)
  return ['What the service sends otherwise than specified', '', ...printed].join('\n')
}

/** The same as comma-separated values with a header. */
export const driftCsv = (lines: readonly DriftLine[]): string =>
  [['kind', 'where', 'rows'], ...lines.map(({ kind, where, count }) => [kind, where, count])]
    .map(csvLine)
    .join('\n')
