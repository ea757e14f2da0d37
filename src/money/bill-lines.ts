import { fingerprintOf } from './key-name.ts'
import type { Spending } from './ledger-store.ts'

/** What spending can be grouped by. */
export const groupings = ['client', 'operation', 'day', 'service', 'key'] as const
export type Grouping = (typeof groupings)[number]

/** What is asked of the ledger cannot be answered. The message is one line. */
export class BillQuestionError extends Error {
  override readonly name = 'BillQuestionError'
}

/** A month and groupings as they are written: `2026-02`, `client,operation`. Throws BillQuestionError. */
export function billQuestion(month: string, by: string) {
  if (!/^\d{4}-\d{2}$/.test(month)) throw new BillQuestionError('The month must be YYYY-MM.')
  return { from: `${month}-01`, to: `${month}-31`, by: by.split(',').map(groupingOf) }
}

function groupingOf(name: string): Grouping {
  const grouping = groupings.find((one) => one === name.trim())
  if (grouping) return grouping
  throw new BillQuestionError(
    `A bill can be grouped by ${groupings.join(', ')}, not by ${JSON.stringify(name)}.`,
  )
}

/** What is shown first unless something else is asked for. */
export const usualGroupings = 'client,operation'

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
