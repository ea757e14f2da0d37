import type { ClientBudgets } from '../money/client-budgets.ts'
import type { Outbox } from '../money/outbox.ts'
import type { BatchSender } from './batch-sender.ts'

/** The note of the clients that had a budget of their own. All others share the budget `*`. */
const NAMED_NOTE = 'named clients'

/** Saves the sums of `most` owners that have changed, for a start without Redis. Throws if it cannot be written. */
export function saveSums(outbox: Outbox, sender: BatchSender, most: number): void {
  if (sender.instances === Number.POSITIVE_INFINITY) return
  const instances = String(sender.instances)
  if (instances !== outbox.note('instances')) outbox.setNote('instances', instances)
  if (sender.named !== outbox.note(NAMED_NOTE)) outbox.setNote(NAMED_NOTE, sender.named)
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
  const isSame = outbox.note(NAMED_NOTE) === sender.named
  const isKnown = (month: string, name: string) =>
    (name !== '*' || isSame) && clients.some((one) => one.month === month && one.name === name)
  for (const [{ kind, month }, all] of saved)
    for (const name of kind === 'all' ? budgets.keys() : [])
      if (!isKnown(month, name)) sender.note({ month, kind: 'client', name }, all)
}
