import { expect, test } from 'vitest'
import { KnownSpending } from '../../src/money/known-spending.ts'

const spent = (month: string) => ({
  day: `${month}-10`,
  hour: '20',
  key: 'key',
  client: 'page',
  operation: 'Day',
  service: 'game/getGames',
  tokens: 5,
  estimated: 0,
  bytes: 10,
  calls: 1,
})

test('of a ledger that others write too, the thirteen months asked for last are known, in case the clock is set back', () => {
  const known = new KnownSpending()
  const months = Array.from(
    { length: 14 },
    (_, nth) => `${2026 + Math.floor(nth / 12)}-${String((nth % 12) + 1).padStart(2, '0')}`,
  )
  const others = (month: string) => known.learn(month, [spent(month)]).length
  expect(months.map(others)).toEqual(months.map(() => 1))
  expect(months.slice(1).map(others)).toEqual(months.slice(1).map(() => 0))
  expect(others('2026-01')).toBe(1)
  expect(others('2026-02')).toBe(1)
})
