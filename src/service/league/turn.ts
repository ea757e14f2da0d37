import { setImmediate as nextTurn } from 'node:timers/promises'

const HOLD_MS = 10

let since = 0

/** To be awaited between two steps of long work: gives way to all that waits whenever ten milliseconds have gone by since it last did. */
export function turn(): Promise<void> | undefined {
  if (performance.now() - since < HOLD_MS) return undefined
  return nextTurn().then(() => {
    since = performance.now()
  })
}

/** All items of something that takes long to make them, with a turn for others after each. */
export async function inTurns<T>(items: Iterable<T>): Promise<T[]> {
  const all: T[] = []
  for (const item of items) {
    all.push(item)
    await turn()
  }
  return all
}
