import type { BillLine, Grouping } from '../money/bill-lines.ts'

export const totalOf = (lines: readonly BillLine[]) => lines.reduce((sum, { tokens }) => sum + tokens, 0)

const barWidth = 30

/** A table for a terminal, with a bar for each line's share of the dearest. */
export function tableOf(lines: readonly BillLine[], by: readonly Grouping[]): string {
  const most = Math.max(1, ...lines.map(({ tokens }) => tokens))
  const total = totalOf(lines)
  const calls = lines.reduce((sum, line) => sum + line.calls, 0)
  const rows = [
    [...by, 'tokens', 'share', 'calls', ''],
    ...lines.map((line) => [
      ...line.names,
      String(line.tokens),
      percent(line.tokens, total),
      String(line.calls),
      '█'.repeat(Math.round((barWidth * line.tokens) / most)),
    ]),
    ['total', ...by.slice(1).map(() => ''), String(total), percent(total, total), String(calls), ''],
  ]
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, at) => pad(cell, widths[at] ?? 0, at >= by.length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const pad = (cell: string, width: number, isNumber: boolean) =>
  isNumber && !cell.startsWith('█') ? cell.padStart(width) : cell.padEnd(width)

const percent = (part: number, whole: number) => `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`
