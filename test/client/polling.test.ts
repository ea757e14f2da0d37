import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startPolling } from '../../src/client/polling.ts'

/** A document that a test hides and shows. */
class Page extends EventTarget {
  visibilityState = 'visible'
  turn(visibilityState: 'visible' | 'hidden') {
    this.visibilityState = visibilityState
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

let page: Page

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  vi.stubGlobal('document', (page = new Page()))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a poll', () => {
  it('asks after each pause, until it is ended', () => {
    const ask = vi.fn()
    const end = startPolling(ask, 15_000)
    vi.advanceTimersByTime(45_000)
    expect(ask).toHaveBeenCalledTimes(3)
    end()
    vi.advanceTimersByTime(60_000)
    page.turn('hidden')
    page.turn('visible')
    expect(ask).toHaveBeenCalledTimes(3)
  })

  it.each([0, -1, Number.NaN])('is off with a pause of %d', (pollMs) => {
    const ask = vi.fn()
    startPolling(ask, pollMs)
    vi.advanceTimersByTime(10_000)
    expect(ask).not.toHaveBeenCalled()
  })

  it('with a pause beyond what a timer holds does not ask at once', () => {
    const ask = vi.fn()
    startPolling(ask, Number.POSITIVE_INFINITY)
    vi.advanceTimersByTime(60_000)
    expect(ask).not.toHaveBeenCalled()
  })

  it('does not ask while the page is hidden, and asks once at once when it is shown again and was due', () => {
    const ask = vi.fn()
    startPolling(ask, 15_000)
    page.turn('hidden')
    vi.advanceTimersByTime(600_000)
    expect(ask).not.toHaveBeenCalled()
    page.turn('visible')
    expect(ask).toHaveBeenCalledTimes(1)
    page.turn('hidden')
    vi.advanceTimersByTime(5_000)
    page.turn('visible')
    expect(ask).toHaveBeenCalledTimes(1)
  })

  it('needs no document', () => {
    vi.stubGlobal('document', undefined)
    const ask = vi.fn()
    const end = startPolling(ask, 15_000)
    vi.advanceTimersByTime(15_000)
    end()
    expect(ask).toHaveBeenCalledTimes(1)
  })
})
