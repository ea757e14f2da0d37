import { setImmediate as nextTurn } from 'node:timers/promises'

const HOLD_MS = 10

let since = 0

/**
 * Await it between steps of long work: it yields to other work if ten milliseconds have passed since the last
 * yield.
 */
export function yieldToOthers(): Promise<void> | undefined {
  if (performance.now() - since < HOLD_MS) return undefined
  return nextTurn().then(() => {
    since = performance.now()
  })
}

/** All items of a slow iterable, with a yield after each. */
export async function collectYielding<T>(items: Iterable<T>): Promise<T[]> {
  const all: T[] = []
  for (const item of items) {
    all.push(item)
    await yieldToOthers()
  }
  return all
}
