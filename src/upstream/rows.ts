import { Entry } from './entry.ts'
import { Stock } from './stock.ts'

/** An entry, or, where it was let go of, what finds it again while somebody holds it. */
type Held = Entry | WeakRef<Entry>

/** Rows of every table, by table and key. There is one entry of a row at a time, for whoever holds it. */
export class Rows {
  readonly #tables = new Map<string, Map<string, Held>>()
  readonly #stock: Stock
  readonly #beneath: Rows | null

  /** Rows that count into a stock, and start from what others know, if any, which they leave as it is. */
  constructor(stock = new Stock(), beneath: Rows | null = null) {
    this.#stock = stock
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

  /** When each row was last asked for, by the stock's moments. */
  *uses(): Iterable<number> {
    for (const rows of this.#tables.values())
      for (const held of rows.values()) if (held instanceof Entry) yield held.usedAt
  }

  /** Lets go of the rows last asked for at a moment of the stock or before, and of facets that had aged before a time. How much is left. */
  clear(lastUsedAt: number, aged: number): number {
    let size = 0
    for (const rows of this.#tables.values())
      for (const [key, held] of rows) {
        if (held instanceof WeakRef) {
          if (!held.deref()) rows.delete(key)
          continue
        }
        held.shed(aged)
        // Whoever holds it may yet bring its columns: while anybody does, all others have to find the same.
        if (held.usedAt <= lastUsedAt) rows.set(key, new WeakRef(held))
        else size += held.size
      }
    return size
  }

  #own(table: string, key: string): Entry | undefined {
    const held = this.#tables.get(table)?.get(key)
    if (held === undefined) return undefined
    if (held instanceof WeakRef) {
      const entry = held.deref()
      return entry && this.#keep(table, entry)
    }
    held.usedAt = this.#stock.moment
    return held
  }

  #made(table: string, key: string): Entry {
    return this.#beneath?.find(table, key)?.copy(this.#stock) ?? new Entry(key, this.#stock)
  }

  #keep(table: string, entry: Entry): Entry {
    let rows = this.#tables.get(table)
    if (!rows) this.#tables.set(table, (rows = new Map()))
    rows.set(entry.key, entry)
    entry.usedAt = this.#stock.moment
    this.#stock.size += entry.size
    return entry
  }
}
