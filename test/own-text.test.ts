import { expect, test } from 'vitest'
import { ownText } from '../src/own-text.ts'
import { heapInUse } from './heap.ts'

test.each(['', 'short', 'a text of some length', 'ein längerer Text', 'half a pair: \ud83c \u2028 "\\'])(
  'the text is the same: %j',
  (text) => expect(ownText(text)).toBe(text),
)

test('a part of a long text does not keep the whole', () => {
  const kept: string[] = []
  const before = heapInUse()
  for (let nth = 0; nth < 5; nth += 1)
    kept.push(ownText(JSON.stringify(`${'x'.repeat(1_000_000)} and its end ${nth}`).slice(-20)))
  expect((heapInUse() - before) / 1e6).toBeLessThan(2)
  expect(kept).toHaveLength(5)
})
