import { expect, test } from 'vitest'
import { SpendingTable } from '../../src/money/spending-table.ts'

const spending = (day: number, nth: number) => ({
  day: `2026-02-${String(day).padStart(2, '0')}`,
  hour: '20',
  key: `key ${nth}`,
  client: 'page',
  operation: 'Day',
  service: 'game/getGames',
  tokens: 1,
  estimated: 0,
  bytes: 10,
  calls: 1,
})

test('of many days with thousands of keys each, the first ones keep their names, and no token is lost', () => {
  const table = new SpendingTable()
  for (let day = 1; day <= 6; day += 1)
    for (let nth = 0; nth < 11_000; nth += 1) table.add(spending(day, nth))
  const rows = table.all
  expect(rows.length).toBeLessThan(40_010)
  expect(rows.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(66_000)
  expect(rows.find(({ day, key }) => day === '2026-02-06' && key === 'other')).toMatchObject({
    tokens: 11_000,
  })
  expect(rows.find(({ day, key }) => day === '2026-02-01' && key === 'key 0')).toMatchObject({ tokens: 1 })
})
