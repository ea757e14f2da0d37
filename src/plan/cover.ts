/** An operation that could be called, the needs that it would supply, and its cost. */
export interface Supplier<Need extends string> {
  readonly name: string
  readonly supplies: ReadonlySet<Need>
  readonly bytes: number
}

/**
 * The cheapest set of suppliers that covers all needs; of equal ones the smallest. Needs without a supplier
 * are left out. Tries every combination, because there are only a handful.
 */
export function cheapest<Need extends string, S extends Supplier<Need>>(
  needs: ReadonlySet<Need>,
  suppliers: readonly S[],
): readonly S[] {
  const possible = [...needs].filter((need) => suppliers.some(({ supplies }) => supplies.has(need)))
  let best: readonly S[] = []
  let least = Number.POSITIVE_INFINITY
  for (let choice = 0; choice < 2 ** suppliers.length; choice += 1) {
    const chosen = suppliers.filter((_, index) => choice & (1 << index))
    const bytes = chosen.reduce((sum, supplier) => sum + supplier.bytes, 0)
    const better = bytes < least || (bytes === least && chosen.length < best.length)
    if (better && possible.every((need) => chosen.some(({ supplies }) => supplies.has(need)))) {
      best = chosen
      least = bytes
    }
  }
  return best
}
