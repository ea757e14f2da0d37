import { MemoryOutbox } from '../money/outbox.ts'
import type { Outbox } from '../money/outbox.ts'

/** An outbox that can no longer be written, continued by one in memory. */
export function continuedInMemory(before: Outbox): Outbox {
  const memory = new MemoryOutbox()
  return {
    isDurable: false,
    put: (batch) => memory.put(batch),
    first: (without) => before.first(without) ?? memory.first(without),
    remove(batch) {
      before.remove(batch)
      memory.remove(batch)
    },
    get isEmpty() {
      return before.isEmpty && memory.isEmpty
    },
    note: (name) => before.note(name),
    setNote: (name, value) => before.setNote(name, value),
    sums: () => before.sums(),
    setSums: (sums) => before.setSums(sums),
    close: () => before.close(),
  }
}
