import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { ownText } from '../src/own-text.ts'

test.each(['', 'short', 'a text of some length', 'ein längerer Text', 'half a pair: \ud83c \u2028 "\\'])(
  'the text is the same: %j',
  (text) => expect(ownText(text)).toBe(text),
)

test('a part of a long text does not keep the whole', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void // what the flag adds to a new context
  const kept: string[] = []
  collect()
  const before = process.memoryUsage().heapUsed
  for (let nth = 0; nth < 5; nth += 1)
    kept.push(ownText(JSON.stringify(`${'x'.repeat(1_000_000)} and its end ${nth}`).slice(-20)))
  collect()
  expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(2)
  expect(kept).toHaveLength(5)
})
