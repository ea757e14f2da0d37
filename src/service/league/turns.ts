import { setImmediate as nextTurn } from 'node:timers/promises'

/** To be awaited between two steps of long work: everything else that waits has its turn now and then. */
export type Turn = () => Promise<unknown> | undefined

const HOLD_MS = 10

/** Gives way whenever ten milliseconds have gone by since it last did. */
export function turns(): Turn {
  let since = performance.now()
  return () => {
    if (performance.now() - since < HOLD_MS) return undefined
    return nextTurn().then(() => (since = performance.now()))
  }
}
