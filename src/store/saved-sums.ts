import type { Outbox } from '../money/outbox.ts'
import type { BatchSender } from './batch-sender.ts'

/** Maximum sums saved with one heartbeat, in some milliseconds. The rest is saved with the next one. */
const savedAtOnce = 500

/** Saves what has changed, for a start without Redis. Throws if it cannot be written. */
export function saveSums(outbox: Outbox, sender: BatchSender): void {
  const instances = String(sender.instances)
  if (instances !== outbox.note('instances')) outbox.setNote('instances', instances)
  sender.own.saveChanged(savedAtOnce, (changed) => outbox.setSums(changed))
}

/** Starts from what was saved, if anything was. */
export function tellSaved(outbox: Outbox, sender: BatchSender): void {
  const instances = outbox.note('instances')
  if (instances === undefined) return
  sender.instances = Number(instances)
  for (const [whose, all] of outbox.sums()) sender.note(whose, all)
}
