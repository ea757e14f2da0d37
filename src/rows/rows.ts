import { Entry } from './entry.ts'
import { Capacity } from './capacity.ts'

/**
 * A table's rows by key. While anything still uses an evicted entry, later requests have to find the same
 * one.
 */
interface TableRows {
  kept: Map<string, Entry>
  evicted: Map<string, WeakRef<Entry>>
}

const noRows: ReadonlyMap<string, Entry> = new Map()

/** The rows of all tables. Each row has one entry, which all requests share. */
export class Rows {
  readonly #tables = new Map<string, TableRows>()
  #capacity: Capacity
  readonly #beneath: Rows | null
  /** Whether rows that were bought may be missing, because they were evicted or not read at the start. */
  isPartial = false

  /** `beneath`: rows to start from, which are copied when they are used. */
  constructor(capacity = new Capacity(), beneath: Rows | null = null) {
    this.#capacity = capacity
    this.#beneath = beneath
  }

  /** The row's entry; a new one if nothing is known of it. */
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

  /** A table's rows of which something is kept, without unused ones beneath, in the order of their first use. */
  usedIn(table: string): ReadonlyMap<string, Entry> {
    return this.#tables.get(table)?.kept ?? noRows
  }

  /** All entries. */
  *kept(): Iterable<Entry> {
    for (const { kept } of this.#tables.values()) yield* kept.values()
  }

  /** Evicts all rows. Rows that running requests still bring are no longer counted. */
  drop(): void {
    this.evict(Number.POSITIVE_INFINITY, 0)
    this.#capacity = new Capacity()
  }

  /**
   * Drops all rows. Nothing may use them any more. Each entry is emptied, because objects that are old, such as
   * promises that have waited, refer to entries until the next full collection.
   */
  clear(): void {
    for (const rows of this.#tables.values()) {
      for (const entry of rows.kept.values()) {
        entry.countIn(null)
        entry.clear()
      }
      rows.kept = new Map()
      rows.evicted = new Map()
    }
    this.#tables.clear()
  }

  /**
   * Evicts rows that were last used at `lastUsedAt` or before, and slots that expired before `aged`. Returns
   * the number of rows left.
   */
  evict(lastUsedAt: number, aged: number): number {
    let left = 0
    for (const { kept, evicted } of this.#tables.values()) {
      for (const [key, held] of evicted) if (!held.deref()) evicted.delete(key)
      for (const [key, entry] of kept) {
        entry.shed(aged)
        if (entry.usedAt > lastUsedAt) continue
        entry.countIn(null)
        this.isPartial = true
        kept.delete(key)
        evicted.set(key, new WeakRef(entry))
      }
      left += kept.size
    }
    const isKept = (table: string, key: string) => this.#tables.get(table)?.kept.has(key) === true
    for (const entry of this.kept()) entry.shedLists(isKept)
    return left
  }

  /**
   * Corrects times after `moment`, because the clock was ahead. Missing rows count as missing until
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
    if (entry) entry.usedAt = this.#capacity.uses
    return entry ?? this.#revived(rows, key)
  }

  #revived(rows: TableRows, key: string): Entry | undefined {
    if (rows.evicted.size === 0) return undefined
    const entry = rows.evicted.get(key)?.deref()
    rows.evicted.delete(key)
    if (!entry) return undefined
    this.#keep(rows, entry)
    entry.shedLists((table, listed) => this.#known(this.#rowsOf(table), listed) !== undefined)
    return entry
  }

  #keep({ kept }: TableRows, entry: Entry): Entry {
    kept.set(entry.key, entry)
    entry.usedAt = this.#capacity.uses
    entry.countIn(this.#capacity)
    return entry
  }
}
