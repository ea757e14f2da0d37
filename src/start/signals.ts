import type { Stop } from './start.ts'

/**
 * npm forwards signals that the terminal has already sent to its children. Two signals within this many
 * milliseconds are one.
 */
const sameSignal = 500

/**
 * Closes the process at the first signal; a second one ends it at once. SIGTERM drains: orchestrators send it, and
 * move clients to another instance. So does SIGHUP, of a terminal that is gone: there is nothing to read again. SIGINT
 * comes from a person at a terminal, and does not drain.
 */
export function closeOnSignal(started: Promise<Stop>, drainSeconds: number): void {
  let first: number | null = null
  const end = (signal: NodeJS.Signals) => {
    if (first !== null && performance.now() - first > sameSignal) process.exit(1)
    if (first !== null) return
    first = performance.now()
    void started
      .then((stop) => stop(signal === 'SIGINT' ? 0 : drainSeconds))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(signal, end)
}
