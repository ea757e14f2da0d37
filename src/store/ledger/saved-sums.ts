import type { ClientBudgets } from '../../money/client-budgets.ts'
import type { Outbox } from '../../money/files/outbox.ts'
import type { BatchSender } from './batch-sender.ts'

/** The note of the client budgets whose sums are saved. Those of others may be old. */
const BUDGETS_NOTE = 'client budgets'

const noteOf = (budgets: ClientBudgets) => JSON.stringify([...budgets.keys()].toSorted())

/** Saves the sums of `most` owners that have changed, for a start without Redis. Throws if it cannot be written. */
export function saveSums(outbox: Outbox, sender: BatchSender, budgets: ClientBudgets, most: number): void {
  if (sender.instances === Number.POSITIVE_INFINITY) return
  const notes = { instances: String(sender.instances), [BUDGETS_NOTE]: noteOf(budgets) }
  for (const [name, note] of Object.entries(notes)) if (note !== outbox.note(name)) outbox.setNote(name, note)
  sender.own.saveChanged(most, (changed) => outbox.setSums(changed))
}

/**
 * Starts from the sums that were saved, if any were. A client budget that is new since then may have spent as much
 * as all clients together.
 */
export function tellSaved(outbox: Outbox, sender: BatchSender, budgets: ClientBudgets): void {
  const instances = outbox.note('instances')
  if (instances === undefined) return
  sender.instances = Number(instances)
  const saved = outbox.sums()
  for (const [whose, all] of saved) sender.note(whose, all)
  const clients = saved.map(([whose]) => whose).filter(({ kind }) => kind === 'client')
  const note = outbox.note(BUDGETS_NOTE) ?? '[]'
  const before = new Set(JSON.parse(note) as string[]) // written by saveSums()
  const isFollowed = (name: string) => (name === '*' ? note === noteOf(budgets) : before.has(name))
  const isKnown = (month: string, name: string) =>
    isFollowed(name) && clients.some((one) => one.month === month && one.name === name)
  for (const [{ kind, month }, all] of saved)
    for (const name of kind === 'all' ? budgets.keys() : [])
      if (!isKnown(month, name)) sender.note({ month, kind: 'client', name }, all)
}
