import type { LedgerTimes } from '../../../src/store/ledger/ledger-times.ts'
import type { CallLater } from '../../../src/money/separation.ts'

/**
 * A tenth of the usual times, in their order. Only the last one stays, so that a machine that stands still for
 * seconds ends no instance.
 */
export const quickTimes: LedgerTimes = {
  askEvery: 25,
  beatEvery: 200,
  missedAfter: 250,
  silentAfter: 300,
  endedAfter: 15_000,
}

/** For tests that count what is sent to Redis. */
export const withoutBeats: LedgerTimes = { ...quickTimes, beatEvery: 600_000 }

/** For tests that wait for the end of an instance. */
export const endedSoon: LedgerTimes = { ...quickTimes, endedAfter: 500 }

/** Longer than two heartbeats. */
export const twoBeats = 2 * quickTimes.beatEvery + 50

/** After that, Redis misses an instance, and takes no command that waited for a sign of it. */
export const longSilence = 2 * quickTimes.silentAfter

/** The patience of instances without Redis, which ends when a test says so. */
export function heldPatience() {
  const waiting = new Set<() => void>()
  const callLater: CallLater = (call) => {
    waiting.add(call)
    return () => void waiting.delete(call)
  }
  return {
    callLater,
    end() {
      const calls = [...waiting]
      waiting.clear()
      for (const call of calls) call()
    },
  }
}
