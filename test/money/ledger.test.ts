import { expect, test } from 'vitest'
import { Ledger } from '../../src/money/ledger.ts'
import { sampleNow } from '../sample.setup.ts'

const month = '2026-02'
const sums = (tokens: number, reserved = 0) => ({ tokens, estimated: 0, bytes: 0, calls: 0, reserved })

/** The ledger of one of two instances with a budget of 300 tokens, of which others have spent 100. */
function started(allotted: number | null, until = performance.now() + 60_000) {
  const ledger = new Ledger(300, () => sampleNow)
  ledger.noteElsewhere(month, sums(100))
  if (allotted !== null) ledger.noteAllotment(month, allotted, until)
  ledger.leave(2)
  /** The largest reservation that it bears. */
  const most = () => {
    let tokens = 0
    while (ledger.covers(tokens + 1)) tokens += 1
    return tokens
  }
  return { ledger, most }
}

test('without the shared ledger, what is allotted may be spent at once, and the share later', () => {
  const { ledger, most } = started(50)
  expect(most()).toBe(50)
  ledger.reserve(30)?.settle({ tokens: 20, bytes: 1, estimated: false })
  expect(most()).toBe(30)
  ledger.goAlone()
  expect(most()).toBe(100 - 20)
  ledger.rejoin()
  expect(most()).toBe(200 - 20)
})

test('what others are heard to spend or to give back meanwhile changes nothing of what is allotted', () => {
  const { ledger, most } = started(50)
  ledger.noteElsewhere(month, sums(40, 10))
  expect(most()).toBe(50)
  ledger.noteElsewhere(month, sums(250))
  expect(most()).toBe(50)
  ledger.goAlone()
  expect(most()).toBe(0)
})

test('reservations that the shared ledger has not decided on count towards what is allotted', () => {
  const ledger = new Ledger(300, () => sampleNow)
  ledger.noteAllotment(month, 50, performance.now() + 60_000)
  const reservation = ledger.reserve(20, true)
  ledger.leave(2)
  expect([ledger.covers(30), ledger.covers(31)]).toEqual([true, false])
  reservation?.settle({ tokens: 0, bytes: 0, estimated: false })
  expect([ledger.covers(50), ledger.covers(51)]).toEqual([true, false])
})

test('an allotment that has ended, or of another month, is not spent', () => {
  // The share covers 64 times as much.
  expect(started(50, performance.now()).most()).toBe(1)
  const { ledger, most } = started(null)
  expect(most()).toBe(1)
  ledger.rejoin()
  ledger.noteAllotment('2026-03', 50, performance.now() + 60_000)
  ledger.noteAllotment(month, 70, performance.now() + 60_000)
  ledger.leave(2)
  expect(most()).toBe(1)
})

test('an allotment of a later month that has ended gives way to one of this month, because the clock was ahead', () => {
  const ledger = new Ledger(300, () => sampleNow)
  ledger.noteAllotment('2026-04', 50, performance.now())
  ledger.noteAllotment(month, 70, performance.now() + 60_000)
  ledger.leave(2)
  expect([ledger.covers(70), ledger.covers(71)]).toEqual([true, false])
})
