import type { Outbox } from '../money/outbox.ts'
import type { BatchSender } from './batch-sender.ts'

/** Saves the sums of `most` owners that have changed, for a start without Redis. Throws if it cannot be written. */
export function saveSums(outbox: Outbox, sender: BatchSender, most: number): void {
  if (sender.instances === Number.POSITIVE_INFINITY) return
  const instances = String(sender.instances)
  if (instances !== outbox.note('instances')) outbox.setNote('instances', instances)
  sender.own.saveChanged(most, (changed) => outbox.setSums(changed))
}

/** Starts from the sums that were saved, if any were. */
export function tellSaved(outbox: Outbox, sender: BatchSender): void {
  const instances = outbox.note('instances')
  if (instances === undefined) return
  sender.instances = Number(instances)
  for (const [whose, all] of outbox.sums()) sender.note(whose, all)
}
