import type { Spending } from './ledger-store.ts'
import { otherName } from './names.ts'

type Row = { -readonly [Name in keyof Spending]: Spending[Name] }

/** Maximum days in memory, rows of each, and rows of all, of about 500 bytes. */
const mostDays = 40
const [mostRows, mostOfAll] = [10_000, 40_000]

/** Names contain no line breaks. A joined text is flat; a template would keep a tree of its parts. */
const idOf = ({ hour, key, client, operation, service }: Spending) =>
  [hour, key, client, operation, service].join('\n')

/** Sums of spending, by day and cause. */
export class SpendingTable {
  readonly #days = new Map<string, Map<string, Row>>()
  #size = 0

  add(spending: Spending): void {
    const rows = this.#rowsOf(spending.day)
    const id = idOf(spending)
    const row = rows.get(id)
    const isFull = rows.size >= mostRows || this.#size >= mostOfAll
    if (!row && isFull && spending.key !== otherName)
      return this.add({ ...spending, key: otherName, client: otherName, operation: otherName })
    if (!row) {
      this.#size += 1
      return void rows.set(id, { ...spending })
    }
    row.tokens += spending.tokens
    row.estimated += spending.estimated
    row.bytes += spending.bytes
    row.calls += spending.calls
  }

  get all(): readonly Spending[] {
    return this.between('', '~')
  }

  between(from: string, to: string): readonly Spending[] {
    return [...this.#days]
      .filter(([day]) => day >= from && day <= to)
      .flatMap(([, rows]) => [...rows.values()].map((row) => ({ ...row })))
  }

  #rowsOf(day: string): Map<string, Row> {
    const known = this.#days.get(day)
    if (known) return known
    const rows = new Map<string, Row>()
    this.#days.set(day, rows)
    for (const oldest of [...this.#days.keys()].toSorted()) {
      if (this.#days.size <= mostDays) break
      this.#size -= this.#days.get(oldest)?.size ?? 0
      this.#days.delete(oldest)
    }
    return rows
  }
}
