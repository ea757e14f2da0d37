import { Entry } from './entry.ts'
import { Capacity } from './capacity.ts'

/**
 * The rows of a table, by key. Whatever still holds an evicted entry and whatever asks again have to find the
 * same.
 */
interface TableRows {
  readonly kept: Map<string, Entry>
  readonly evicted: Map<string, WeakRef<Entry>>
}

/** Rows of every table, by table and key. Each row has one entry, which all requests share. */
export class Rows {
  readonly #tables = new Map<string, TableRows>()
  #capacity: Capacity
  readonly #beneath: Rows | null
  /** Whether rows were ever evicted, so that some that were bought are not here. */
  hasEvicted = false

  /** Rows that count into a capacity, and start from what others know, if any, which they leave as it is. */
  constructor(capacity = new Capacity(), beneath: Rows | null = null) {
    this.#capacity = capacity
    this.#beneath = beneath
  }

  /** The row's entry, made empty where nothing is known of the row yet. */
  entry(table: string, key: string): Entry {
    const rows = this.#rowsOf(table)
    const known = this.#known(rows, key)
    if (known) return known
    return this.#keep(rows, this.#beneath?.find(table, key)?.copy() ?? new Entry(key))
  }

  /** The row's entry, if anything was ever known of it. */
  find(table: string, key: string): Entry | undefined {
    const rows = this.#tables.get(table)
    return (rows && this.#known(rows, key)) ?? this.#beneath?.find(table, key)
  }

  /** The keys of a table's rows of which something is kept. */
  keysOf(table: string): ReadonlySet<string> {
    const own = this.#tables.get(table)?.kept.keys() ?? []
    return new Set([...(this.#beneath?.keysOf(table) ?? []), ...own])
  }

  /** The entries that are kept. */
  *kept(): Iterable<Entry> {
    for (const { kept } of this.#tables.values()) yield* kept.values()
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

  /**
   * Evicts the rows last used at a moment or before, and slots that had aged before a time. Returns how many
   * rows are left.
   */
  evict(lastUsedAt: number, aged: number): number {
    let left = 0
    for (const { kept, evicted } of this.#tables.values()) {
      for (const [key, held] of evicted) if (!held.deref()) evicted.delete(key)
      for (const [key, entry] of kept) {
        entry.shed(aged)
        if (entry.usedAt > lastUsedAt) continue
        entry.countIn(null)
        this.hasEvicted = true
        kept.delete(key)
        evicted.set(key, new WeakRef(entry))
      }
      left += kept.size
    }
    return left
  }

  /**
   * Counts what was bought after a moment as bought then. Rows that were missing count as such until
   * `missingUntil` at most.
   */
  setBack(moment: number, missingUntil: number): void {
    for (const { kept, evicted } of this.#tables.values()) {
      for (const entry of kept.values()) entry.setBack(moment, missingUntil)
      for (const held of evicted.values()) held.deref()?.setBack(moment, missingUntil)
    }
  }

  #rowsOf(table: string): TableRows {
    let rows = this.#tables.get(table)
    if (!rows) this.#tables.set(table, (rows = { kept: new Map(), evicted: new Map() }))
    return rows
  }

  #known(rows: TableRows, key: string): Entry | undefined {
    const entry = rows.kept.get(key)
    if (entry) entry.usedAt = this.#capacity.moment
    return entry ?? this.#revived(rows, key)
  }

  #revived(rows: TableRows, key: string): Entry | undefined {
    if (rows.evicted.size === 0) return undefined
    const entry = rows.evicted.get(key)?.deref()
    rows.evicted.delete(key)
    return entry && this.#keep(rows, entry)
  }

  #keep({ kept }: TableRows, entry: Entry): Entry {
    kept.set(entry.key, entry)
    entry.usedAt = this.#capacity.moment
    entry.countIn(this.#capacity)
    return entry
  }
}
