import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Separation } from '../../src/money/separation.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function separated(among: number, isSoon?: boolean) {
  const onAlone = vi.fn()
  const separation = new Separation(onAlone)
  separation.begin(among, isSoon)
  return { separation, onAlone }
}

describe('an instance whose shared ledger goes away', () => {
  test.each([1, 3])('waits for three seconds if it knew of %i', async (among) => {
    const { separation, onAlone } = separated(among)
    expect(separation.doubt).not.toBeNull()
    await vi.advanceTimersByTimeAsync(2_999)
    expect(onAlone).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(onAlone).toHaveBeenCalledOnce()
    expect(separation).toMatchObject({ among, isAlone: true, doubt: null })
  })

  test('spends no share if the ledger is back in time', async () => {
    const { separation, onAlone } = separated(3)
    const { doubt } = separation
    separation.end()
    await doubt
    await vi.advanceTimersByTimeAsync(10_000)
    expect(onAlone).not.toHaveBeenCalled()
    expect(separation).toMatchObject({ among: null, isAlone: false, doubt: null })
  })

  test('waits for a ledger that was never reached only if it is about to be used', () => {
    expect(separated(Number.POSITIVE_INFINITY).separation.doubt).toBeNull()
    expect(separated(Number.POSITIVE_INFINITY, true).separation.doubt).not.toBeNull()
  })
})
