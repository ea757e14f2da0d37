import { widthsOf } from './bill-table.ts'

/** An operation's price in tokens: with an empty cache, and again a minute later. */
export interface Price {
  readonly name: string
  readonly file: string
  readonly cold: number
  readonly warm: number
}

/** Earlier prices by operation, to compare with. */
export type Prices = Readonly<Record<string, EarlierPrice | undefined>>

interface EarlierPrice {
  readonly cold: number
  readonly warm: number
  /** Set if it was gone then. */
  readonly gone?: boolean
}

/**
 * Prices as JSON, by operation. With a base, each has the change of its cold price, null for a new operation,
 * and operations that are gone since the base are there with `gone: true`.
 */
export function priceJson(prices: readonly Price[], base: Prices | null): string {
  const printed = prices.map(({ name, cold, warm }) => {
    const before = base?.[name]
    return [name, { cold, warm, ...(base && { change: before ? cold - before.cold : null }) }] as const
  })
  const gone = goneSince(base, prices).map(
    ({ name, cold }) => [name, { cold: 0, warm: 0, change: -cold, gone: true }] as const,
  )
  return JSON.stringify(Object.fromEntries([...printed, ...gone]), null, 2)
}

/** The operations of a base that are no longer there, with their price then. */
function goneSince(base: Prices | null, prices: readonly Price[]) {
  const names = new Set(prices.map(({ name }) => name))
  return Object.entries(base ?? {}).flatMap(([name, before]) =>
    before && !names.has(name) ? [{ name, cold: before.cold }] : [],
  )
}

/**
 * A table, the dearest operation first, with the change since a base and a mark above the limit. Operations that
 * are gone since the base are last.
 */
export function priceTable(prices: readonly Price[], most: number | null, base: Prices | null): string {
  const present = prices
    .toSorted((a, b) => b.cold - a.cold)
    .map((price) => [
      price.name,
      String(price.cold),
      String(price.warm),
      ...(base ? [change(price.cold, base[price.name]?.cold)] : []),
      most !== null && price.cold > most ? `above ${most}` : '',
      price.file,
    ])
  const gone = goneSince(base, prices).map(({ name, cold }) => [name, '0', '0', String(-cold), 'gone', ''])
  const rows = [...present, ...gone]
  const all = [['operation', 'cold', 'warm', ...(base ? ['change'] : []), '', ''], ...rows]
  const widths = widthsOf(all)
  const isNumber = (at: number) => at > 0 && at <= (base ? 3 : 2)
  return all
    .map((row) =>
      row
        .map((cell, at) => (isNumber(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function change(tokens: number, before: number | undefined): string {
  if (before === undefined) return 'new'
  return tokens === before ? '0' : `${tokens > before ? '+' : ''}${tokens - before}`
}
