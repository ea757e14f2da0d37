import { slot } from '../rows/slot.ts'
import type { SlotCache } from '../rows/slot.ts'
import type { Entry } from '../rows/entry.ts'
import type { Rows } from '../rows/rows.ts'

/** Whether the key's plan includes the simulation of games to come, as projections tell. */
const simulations = slot<boolean>('simulations', ({ fresh }) => fresh.current)

/** The entry of what is known of the key's plan. */
const [table, key] = ['plan', '']

interface Cache extends SlotCache {
  readonly rows: { entry(table: string, key: string): Entry }
}

export const noteSimulations = (cache: Cache, has: boolean, boughtAt: number): void =>
  simulations.put(cache, cache.rows.entry(table, key), has, boughtAt)

/** What the last projection told; undefined if none was bought. */
export function hasSimulations(rows: Rows): boolean | undefined {
  const plan = rows.find(table, key)
  return plan && simulations.last(plan)
}
