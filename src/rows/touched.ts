import type { Entry } from './entry.ts'
import type { FreshVersions } from './row-version.ts'

/** Ids are small integers, which V8 keeps inside the object. */
const mostIds = 2 ** 30
let lastId = 0

/** Bytes of a reference to a row, and of a slot's name beside its text. */
const [rowBytes, nameBytes] = [24, 24]

/** The rows and slots that an answer uses. */
export class Touched {
  readonly #id = (lastId = (lastId + 1) % mostIds)
  readonly #rows: Entry[] = []
  // Two lists of the same length: owners, and the slot of each.
  readonly #owners: Entry[] = []
  readonly #slots: string[] = []

  /** Adds a row's columns, or one of its slots. */
  add(entry: Entry, slot?: string): void {
    if (slot !== undefined) {
      this.#owners.push(entry)
      this.#slots.push(slot)
    } else if (entry.touchedBy !== this.#id) {
      entry.touchedBy = this.#id
      this.#rows.push(entry)
    }
  }

  get count(): number {
    return this.#rows.length + this.#owners.length
  }

  /** Estimated bytes, without the rows. */
  get bytes(): number {
    const names = this.#slots.reduce((sum, slot) => sum + nameBytes + slot.length, 0)
    return rowBytes * this.count + names
  }

  /** The fresh versions of all rows, and when the first fresh part expires; null if there are no parts. */
  fresh(now: number): FreshVersions | null {
    if (this.count === 0) return null
    const fresh = { count: 0, until: Number.POSITIVE_INFINITY }
    for (const entry of this.#rows) entry.addTo(fresh, now)
    for (let index = 0; index < this.#owners.length; index += 1) {
      const until = this.#owners[index]?.slotFreshUntil(this.#slots[index] ?? '')
      if (until !== undefined && until < fresh.until) fresh.until = until
    }
    return fresh
  }

  /** Whether any of these rows has changed since `moment`, as counted by `keptSoFar`. */
  hasChangedSince(change: number): boolean {
    for (const entry of this.#rows) if (entry.changedAt > change) return true
    for (const entry of this.#owners) if (entry.changedAt > change) return true
    return false
  }

  /** Marks the rows as used, so that they are evicted later. */
  use(count: number): void {
    for (const entry of this.#rows) entry.usedAt = count
    for (const entry of this.#owners) entry.usedAt = count
  }
}
