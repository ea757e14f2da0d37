import { widthsOf } from './bill-table.ts'

/** An operation's price in tokens: with an empty cache, and again a minute later. */
export interface Price {
  readonly name: string
  readonly file: string
  readonly cold: number
  readonly warm: number
}

/** Earlier prices by operation, to compare with. */
export type Prices = Readonly<Record<string, { readonly cold: number; readonly warm: number } | undefined>>

export const priceJson = (prices: readonly Price[]): string =>
  JSON.stringify(Object.fromEntries(prices.map(({ name, cold, warm }) => [name, { cold, warm }])), null, 2)

/** A table, the dearest operation first, with the change since a base and a mark above the limit. */
export function priceTable(prices: readonly Price[], most: number | null, base: Prices | null): string {
  const rows = prices
    .toSorted((a, b) => b.cold - a.cold)
    .map((price) => [
      price.name,
      String(price.cold),
      String(price.warm),
      ...(base ? [change(price.cold, base[price.name]?.cold)] : []),
      most !== null && price.cold > most ? `above ${most}` : '',
      price.file,
    ])
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
