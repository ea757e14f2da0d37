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

test('of a ledger that others write too, this month and the last are known, in case the clock is set back', () => {
  const known = new KnownSpending()
  known.add([spent('2026-01'), spent('2026-02')])
  expect(known.learn('2026-02', [spent('2026-02')])).toEqual([])
  expect(known.learn('2026-03', [spent('2026-03')])).toMatchObject([{ day: '2026-03-10', tokens: 5 }])
  expect(known.learn('2026-02', [spent('2026-02')])).toEqual([])
  expect(known.learn('2026-01', [spent('2026-01')])).toMatchObject([{ day: '2026-01-10', tokens: 5 }])
})
