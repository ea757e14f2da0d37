import type { Change, Opened, Spending } from './ledger-store.ts'
import { SpendingTable } from './spending-table.ts'

/**
 * Changes that could not be written yet. Bills are summed up, so that they take little memory and are written
 * at once.
 */
export class HeldChanges {
  /** Reservations to be written, by their ids. */
  readonly #open = new Map<string, Change>()
  /** Reservations to be ended. All bills are written with the first one. */
  readonly #ended: Opened[] = []
  readonly #spent = new SpendingTable()

  get isEmpty(): boolean {
    return this.#open.size === 0 && this.#ended.length === 0
  }

  add(change: Change): void {
    const { opened } = change
    if (change.kind === 'open') return void this.#open.set(opened.id, change)
    for (const one of change.spent) this.#spent.add(one)
    // A reservation that began and ended here is not written, unless it is the first.
    if (this.#ended.length === 0 || !this.#open.delete(opened.id)) this.#ended.push(opened)
  }

  /** Changes with the same sums as all that were added. */
  get changes(): readonly Change[] {
    const ended = this.#ended.map((opened, at): Change => {
      return { kind: 'settle', opened, spent: at === 0 ? this.#spent.all : [] }
    })
    return [...this.#open.values(), ...ended]
  }

  /** The sums of all bills, by day and cause. */
  get spent(): readonly Spending[] {
    return this.#spent.all
  }

  spending(from: string, to: string): readonly Spending[] {
    return this.#spent.between(from, to)
  }
}
