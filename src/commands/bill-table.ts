import type { Spending } from '../money/ledger-store.ts'
import { fingerprintOf } from '../money/key-name.ts'

/** What spending can be grouped by. */
export const groupings = ['client', 'operation', 'day', 'service', 'key'] as const
export type Grouping = (typeof groupings)[number]

/** Sums of one group. */
export interface BillLine {
  readonly names: readonly string[]
  tokens: number
  estimated: number
  calls: number
  bytes: number
}

const nameOf = (one: Spending, by: Grouping) => (by === 'key' ? fingerprintOf(one.key) : one[by])

/** Spending in groups, the dearest first; days in their order. */
export function grouped(spending: readonly Spending[], by: readonly Grouping[]): readonly BillLine[] {
  const lines = new Map<string, BillLine>()
  for (const one of spending) {
    const names = by.map((name) => nameOf(one, name))
    const id = JSON.stringify(names)
    const line = lines.get(id) ?? { names, tokens: 0, estimated: 0, calls: 0, bytes: 0 }
    line.tokens += one.tokens
    line.estimated += one.estimated
    line.calls += one.calls
    line.bytes += one.bytes
    lines.set(id, line)
  }
  const all = [...lines.values()]
  return by[0] === 'day'
    ? all.toSorted((a, b) => (a.names[0] ?? '').localeCompare(b.names[0] ?? '') || b.tokens - a.tokens)
    : all.toSorted((a, b) => b.tokens - a.tokens)
}

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

/** Comma-separated values with a header. */
export function csvOf(lines: readonly BillLine[], by: readonly Grouping[]): string {
  const rows = lines.map(({ names, tokens, estimated, calls, bytes }) => [
    ...names,
    tokens,
    estimated,
    calls,
    bytes,
  ])
  return [[...by, 'tokens', 'estimated', 'calls', 'bytes'], ...rows]
    .map((row) => row.map((cell) => quoted(String(cell))).join(','))
    .join('\n')
}

/** A spreadsheet would run what begins like a formula, and clients choose their names. */
const quoted = (cell: string) => {
  const safe = /^[=+\-@]/.test(cell) && !/^-?[\d.]+$/.test(cell) ? `'${cell}` : cell
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The groups as JSON, each with its names. */
export const jsonOf = (lines: readonly BillLine[], by: readonly Grouping[]): string =>
  JSON.stringify(
    lines.map(({ names, ...sums }) => ({
      ...Object.fromEntries(by.map((name, at) => [name, names[at]])),
      ...sums,
    })),
    null,
    2,
  )
