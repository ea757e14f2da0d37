import type { BillLine, BillQuestion } from '../money/bill-lines.ts'
import { rounded } from '../money/rounded.ts'

const barWidth = 30

/** A table for a terminal. A bar shows each line's share of the largest. */
export function tableOf(lines: readonly BillLine[], { by, before }: BillQuestion): string {
  const most = lines.reduce((largest, { tokens }) => Math.max(largest, tokens), 1)
  const sum = (of: 'tokens' | 'before' | 'calls' | 'callsBefore') =>
    rounded(lines.reduce((all, line) => all + (line[of] ?? 0), 0))
  const total = sum('tokens')
  const compared = (now: number, then: number) => (before ? [String(then), signed(rounded(now - then))] : [])
  const callsBefore = (calls: number) => (before ? [String(calls)] : [])
  const rows = [
    [
      ...by,
      'tokens',
      'share',
      ...(before ? ['before', 'change'] : []),
      'calls',
      ...(before ? ['calls before'] : []),
      '',
    ],
    ...lines.map((line) => [
      ...line.names,
      String(line.tokens),
      percent(line.tokens, total),
      ...compared(line.tokens, line.before ?? 0),
      String(line.calls),
      ...callsBefore(line.callsBefore ?? 0),
      '█'.repeat(Math.round((barWidth * line.tokens) / most)),
    ]),
    [
      'total',
      ...by.slice(1).map(() => ''),
      String(total),
      percent(total, total),
      ...compared(total, sum('before')),
      String(sum('calls')),
      ...callsBefore(sum('callsBefore')),
      '',
    ],
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
