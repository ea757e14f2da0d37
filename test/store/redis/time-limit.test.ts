import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TooSlowError, within } from '../../../src/store/redis/time-limit.ts'

/** Milliseconds in which the process did nothing. */
let stalled = 0

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
  stalled = 0
  const { now } = performance
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + stalled)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** What became of a wait of 50 ms. */
function waited(answer: Promise<string>) {
  const seen: { outcome: string | null; afterMs: number } = { outcome: null, afterMs: 0 }
  const began = performance.now()
  const note = (outcome: string) => Object.assign(seen, { outcome, afterMs: performance.now() - began })
  within(answer, 50).then(note, (error: unknown) => {
    expect(error).toBeInstanceOf(TooSlowError)
    note('too slow')
  })
  return seen
}

const never = new Promise<string>(() => {})

/** Time goes by, and then the process stands still before it sees that. */
async function pass(ms: number, thenStalled = 0) {
  vi.advanceTimersByTime(ms - 1)
  stalled += thenStalled
  await vi.advanceTimersByTimeAsync(2)
}

test('what does not come within its time is too slow', async () => {
  const seen = waited(never)
  await pass(49)
  expect(seen.outcome).toBe(null)
  await pass(3)
  expect(seen.outcome).toBe('too slow')
})

test('time in which this process was busy does not count', async () => {
  const later: { tell(answer: string): void } = { tell: () => {} }
  const seen = waited(new Promise((tell) => (later.tell = tell)))
  await pass(50, 120)
  expect(seen.outcome).toBe(null)
  later.tell('answered')
  await pass(1)
  expect(seen.outcome).toBe('answered')
})

test('a process that is busy all the time waits ten times as long, and no longer', async () => {
  const seen = waited(never)
  while (seen.outcome === null) await pass(50, 70)
  expect(seen.outcome).toBe('too slow')
  expect(seen.afterMs).toBeGreaterThanOrEqual(500)
  // It looks after each stall.
  expect(seen.afterMs).toBeLessThan(500 + 2 * (50 + 70 + 1))
})
