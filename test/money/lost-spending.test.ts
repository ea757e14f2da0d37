import { expect, test } from 'vitest'
import { lostText } from '../../src/money/lost-spending.ts'

const of = (client: string, tokens: number, calls = 1) => ({ client, tokens, calls })

test('what is lost is told by client, the dearest first', () => {
  expect(lostText([of('b', 1), of('a', 2), of('b', 20, 0)])).toBe(
    'Bills could not be written and are lost: 23 tokens, 2 calls. By client: b 21, a 2.',
  )
})

test('of many clients five are named', () => {
  const all = Array.from({ length: 7 }, (_, nth) => of(`c${nth}`, 10 - nth))
  expect(lostText(all)).toMatch(/By client: c0 10, c1 9, c2 8, c3 7, c4 6, and 2 more\.$/)
})
