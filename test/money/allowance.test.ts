import { expect, test } from 'vitest'
import { Allowance } from '../../src/money/allowance.ts'

test('a call that is under way when a request begins anew counts, and is not given back twice', () => {
  const allowance = new Allowance({ maxTokens: 10, maxCalls: null })
  const share = allowance.reserve(8)
  allowance.renew()
  expect(allowance.covers(3)).toBe(false)
  share?.settle(1)
  expect(allowance.covers(9)).toBe(true)
  expect(allowance.covers(10)).toBe(false)
})

test('what was settled before a request begins anew no longer counts', () => {
  const allowance = new Allowance({ maxTokens: 10, maxCalls: 1 })
  allowance.countCall()
  allowance.reserve(8)?.settle(9)
  expect(allowance.covers(1)).toBe(false)
  allowance.renew()
  expect(allowance.covers(10)).toBe(true)
})
