import type { BillLine, BillQuestion } from '../money/bill-lines.ts'
import { rounded } from '../money/rounded.ts'

const barWidth = 30

/** A column of figures: its title, and what it has beside a line and beside the total. */
type Column = readonly [title: string, of: (line: Figures) => string]

type Figures = Omit<BillLine, 'names'>

/**
 * A table for a terminal. A bar shows each line's share of the largest. Tokens that are estimated, because the
 * service did not report them, have a column if there are any.
 */
export function tableOf(lines: readonly BillLine[], { by, before }: BillQuestion): string {
  const most = lines.reduce((largest, { tokens }) => Math.max(largest, tokens), 1)
  const sum = (of: Exclude<keyof Figures, 'bytes' | 'bytesBefore'>) =>
    rounded(lines.reduce((all, line) => all + (line[of] ?? 0), 0))
  const total = {
    tokens: sum('tokens'),
    before: sum('before'),
    estimated: sum('estimated'),
    calls: sum('calls'),
    callsBefore: sum('callsBefore'),
    bytes: 0,
  }
  const then: readonly Column[] = [
    ['before', (line) => String(line.before ?? 0)],
    ['change', (line) => signed(rounded(line.tokens - (line.before ?? 0)))],
  ]
  const columns: readonly Column[] = [
    ['tokens', ({ tokens }) => String(tokens)],
    ...(total.estimated > 0 ? [['estimated', ({ estimated }) => String(estimated)] satisfies Column] : []),
    ['share', ({ tokens }) => percent(tokens, total.tokens)],
    ...(before ? then : []),
    ['calls', ({ calls }) => String(calls)],
    ...(before ? [['calls before', (line) => String(line.callsBefore ?? 0)] satisfies Column] : []),
  ]
  const rowOf = (names: readonly string[], figures: Figures) => [
    ...names,
    ...columns.map(([, of]) => of(figures)),
  ]
  const bar = ({ tokens }: Figures) => '█'.repeat(Math.round((barWidth * tokens) / most))
  const rows = [
    [...by, ...columns.map(([title]) => title), ''],
    ...lines.map((line) => [...rowOf(line.names, line), bar(line)]),
    [...rowOf(['total', ...by.slice(1).map(() => '')], total), ''],
  ]
  const widths = widthsOf(rows)
  return rows
    .map((row) =>
      row
        .map((cell, at) => pad(cell, widths[at] ?? 0, at >= by.length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The width of each column. */
export const widthsOf = (rows: readonly (readonly string[])[]): readonly number[] =>
  (rows[0] ?? []).map((_, at) => rows.reduce((width, row) => Math.max(width, row[at]?.length ?? 0), 0))

const pad = (cell: string, width: number, isNumber: boolean) =>
  isNumber && !cell.startsWith('█') ? cell.padStart(width) : cell.padEnd(width)

const percent = (part: number, whole: number) => `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`

const signed = (change: number) => (change > 0 ? `+${change}` : String(change))
