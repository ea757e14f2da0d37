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
  test.each([1, 3])('is alone after twelve seconds if it knew of %i', async (among) => {
    const { separation, onAlone } = separated(among)
    expect(separation).toMatchObject({ among, isAlone: false, isInDoubt: true })
    await vi.advanceTimersByTimeAsync(11_999)
    expect(onAlone).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(onAlone).toHaveBeenCalledOnce()
    expect(separation).toMatchObject({ among, isAlone: true, isInDoubt: false })
  })

  test('spends no share if the ledger is back in time', async () => {
    const { separation, onAlone } = separated(3)
    separation.end()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(onAlone).not.toHaveBeenCalled()
    expect(separation).toMatchObject({ among: null, isAlone: false, isInDoubt: false })
  })

  test('has patience with a ledger that was never reached only if it is about to be used', () => {
    const never = Number.POSITIVE_INFINITY
    expect(separated(never).separation).toMatchObject({ isAlone: true, isInDoubt: false })
    expect(separated(never, true).separation).toMatchObject({ isAlone: false, isInDoubt: true })
  })
})
