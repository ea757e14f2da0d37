import { expect, test } from 'vitest'
import { Drift } from '../../src/capabilities/drift.ts'
import { heapInUse } from '../heap.ts'

test('columns with names of a megabyte do not fill the memory', () => {
  const drift = new Drift()
  const before = heapInUse()
  for (let nth = 0; nth < 30; nth += 1)
    drift.add('unknown column', Buffer.from(`game.${nth}${'x'.repeat(1_000_000)}`).toString())
  expect((heapInUse() - before) / 1e6).toBeLessThan(5)
  expect(drift.lines).toHaveLength(30)
})
