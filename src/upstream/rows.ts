import { Entry } from './entry.ts'
import { Capacity } from './capacity.ts'

/** An entry, or a WeakRef to an evicted one: whatever still holds it and whatever asks again have to find the same. */
type Held = Entry | WeakRef<Entry>

/** Rows of every table, by table and key. Each row has one entry, which all requests share. */
export class Rows {
  readonly #tables = new Map<string, Map<string, Held>>()
  #capacity: Capacity
  readonly #beneath: Rows | null

  /** Rows that count into a capacity, and start from what others know, if any, which they leave as it is. */
  constructor(capacity = new Capacity(), beneath: Rows | null = null) {
    this.#capacity = capacity
    this.#beneath = beneath
  }

  /** The row's entry, made empty where nothing is known of the row yet. */
  entry(table: string, key: string): Entry {
    return this.#own(table, key) ?? this.#keep(table, this.#made(table, key))
  }

  /** The row's entry, if anything was ever known of it. */
  find(table: string, key: string): Entry | undefined {
    return this.#own(table, key) ?? this.#beneath?.find(table, key)
  }

  /** The entries that are kept. */
  *kept(): Iterable<Entry> {
    for (const rows of this.#tables.values())
      for (const held of rows.values()) if (held instanceof Entry) yield held
  }

  /** Evicts all rows, and counts none any more that requests under way still bring. */
  drop(): void {
    this.evict(Number.POSITIVE_INFINITY, 0)
    this.#capacity = new Capacity()
  }

  /** Forgets all rows, which nobody may hold any more. */
  clear(): void {
    for (const entry of this.kept()) entry.countIn(null)
    this.#tables.clear()
  }

  /** Evicts the rows last used at a moment or before, and slots that had aged before a time. Returns how many rows are left. */
  evict(lastUsedAt: number, aged: number): number {
    let left = 0
    for (const rows of this.#tables.values())
      for (const [key, held] of rows) {
        if (held instanceof WeakRef) {
          if (!held.deref()) rows.delete(key)
          continue
        }
        held.shed(aged)
        if (held.usedAt > lastUsedAt) {
          left += 1
          continue
        }
        held.countIn(null)
        rows.set(key, new WeakRef(held))
      }
    return left
  }

  /** Counts what was bought after a moment as bought then. */
  setBack(moment: number): void {
    for (const rows of this.#tables.values())
      for (const held of rows.values()) (held instanceof WeakRef ? held.deref() : held)?.setBack(moment)
  }

  #own(table: string, key: string): Entry | undefined {
    const held = this.#tables.get(table)?.get(key)
    if (held === undefined) return undefined
    if (held instanceof WeakRef) {
      const entry = held.deref()
      return entry && this.#keep(table, entry)
    }
    held.usedAt = this.#capacity.moment
    return held
  }

  #made(table: string, key: string): Entry {
    return this.#beneath?.find(table, key)?.copy() ?? new Entry(key)
  }

  #keep(table: string, entry: Entry): Entry {
    let rows = this.#tables.get(table)
    if (!rows) this.#tables.set(table, (rows = new Map()))
    rows.set(entry.key, entry)
    entry.usedAt = this.#capacity.moment
    entry.countIn(this.#capacity)
    return entry
  }
}
