import type { Aging } from '../rows/moment.ts'

/** An expired row, or a slot of one, that was used. */
interface Expired {
  readonly entry: Aging
  readonly boughtAt: number
  readonly slot: string | undefined
}

/** What an answer has of expired rows: their number, and the age of the oldest in seconds. */
export interface Stale {
  readonly rows: number
  readonly seconds: number
}

/** The expired rows that an answer uses. */
export class ExpiredRows {
  readonly #used: Expired[] = []

  add(entry: Aging, boughtAt: number, slot?: string): void {
    this.#used.push({ entry, boughtAt, slot })
  }

  clear(): void {
    this.#used.length = 0
  }

  /** Those that are still expired at a time; undefined if there are none. */
  at(now: number): Stale | undefined {
    const left = this.#left(now)
    if (left.length === 0) return undefined
    const rows = new Set(left.map(({ entry }) => entry)).size
    return { rows, seconds: Math.floor((now - Math.floor(oldestOf(left))) / 1000) }
  }

  /** When the oldest of them was bought; Infinity if there are none. */
  oldestAt(now: number): number {
    return oldestOf(this.#left(now))
  }

  /** Without those that were bought again in the meantime. */
  #left(now: number): readonly Expired[] {
    return this.#used.filter(
      ({ entry, slot }) => (slot === undefined ? entry.boughtAt : entry.slotBoughtAt(slot)) < now,
    )
  }
}

const oldestOf = (rows: readonly Expired[]): number =>
  rows.reduce((oldest, { boughtAt }) => Math.min(oldest, boughtAt), Number.POSITIVE_INFINITY)
