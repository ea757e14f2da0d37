import type { Stop } from './start.ts'

/**
 * npm passes on what a terminal has sent to its children as well: signals so close together, in milliseconds,
 * are one.
 */
const sameSignal = 500

/**
 * Closes what was started at the first signal; a second one ends the process at once. Only SIGTERM drains: it
 * comes from what also moves clients to another instance, SIGINT from a person at a terminal, who would wait
 * for nothing.
 */
export function closeOnSignal(started: Promise<Stop>, drainSeconds: number): void {
  let first: number | null = null
  const end = (signal: NodeJS.Signals) => {
    if (first !== null && performance.now() - first > sameSignal) process.exit(1)
    if (first !== null) return
    first = performance.now()
    void started
      .then((stop) => stop(signal === 'SIGTERM' ? drainSeconds : 0))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end)
}
