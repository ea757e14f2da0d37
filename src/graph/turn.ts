import { inActiveSpan } from '../upstream/trace.ts'

/** A batch of asks, and what decides when it is sent. */
export interface TurnBatch {
  /** The name of its loader. */
  readonly name: string
  /** Whether its loader calls nothing itself, but asks other loaders. */
  readonly asksOthers: boolean
  readonly send: () => void
}

/** The batches of this turn of the event loop. */
let batches: TurnBatch[] = []
let isDue = false

/**
 * Sends a batch at the end of the turn, when every resolver has asked. Loaders that ask others go first, so
 * that their asks join the batches of the same turn. Then the loaders go by name, so that neither the calls
 * of a turn nor their order depend on which field asked first.
 */
export function sendAtTurnsEnd(batch: TurnBatch): void {
  // The calls of a batch belong to the trace of the field that asked first.
  batches.push({ ...batch, send: inActiveSpan(batch.send) })
  if (isDue) return
  isDue = true
  setImmediate(sendAll)
}

function sendAll(): void {
  for (;;) {
    const first = byName(batches.filter(({ asksOthers }) => asksOthers))
    if (first.length === 0) break
    batches = batches.filter(({ asksOthers }) => !asksOthers)
    for (const { send } of first) send()
  }
  const others = byName(batches)
  batches = []
  isDue = false
  for (const { send } of others) send()
}

const byName = (those: readonly TurnBatch[]): readonly TurnBatch[] =>
  those.length < 2 ? those : those.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
