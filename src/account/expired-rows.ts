import type { Aging, Part } from '../rows/moment.ts'

/** An expired row, or a part of one, that was used. */
interface Expired {
  readonly entry: Aging
  readonly boughtAt: number
  readonly part: Part | undefined
  /** Whether the answer has its value, also if the row is bought again in the meantime. */
  readonly isInAnswer: boolean
}

/** What an answer has of expired rows: their number, and the age of the oldest in seconds. */
export interface Stale {
  readonly rows: number
  readonly seconds: number
}

/** What two readers of the same rows have found: the larger number of rows and the greater age. */
export function mergedStale(one: Stale | undefined, other: Stale | undefined): Stale | undefined {
  if (!one || !other) return one ?? other
  return { rows: Math.max(one.rows, other.rows), seconds: Math.max(one.seconds, other.seconds) }
}

/** The expired rows that an answer uses. */
export class ExpiredRows {
  readonly #used: Expired[] = []

  add(entry: Aging, boughtAt: number, part?: Part): void {
    this.#used.push({ entry, boughtAt, part, isInAnswer: false })
  }

  /** Adds what is in the answer because a call failed. */
  addToAnswer(entry: Aging, boughtAt: number): void {
    this.#used.push({ entry, boughtAt, part: undefined, isInAnswer: true })
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
    return this.#used.filter((one) => lastBoughtAt(one, now) < now)
  }
}

function lastBoughtAt({ entry, boughtAt, part, isInAnswer }: Expired, now: number): number {
  if (isInAnswer) return boughtAt
  if (part === undefined) return entry.boughtAt
  return 'slot' in part ? entry.slotBoughtAt(part.slot) : entry.columnBoughtAt(part.column, now)
}

const oldestOf = (rows: readonly Expired[]): number =>
  rows.reduce((oldest, { boughtAt }) => Math.min(oldest, boughtAt), Number.POSITIVE_INFINITY)
