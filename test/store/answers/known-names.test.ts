import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { KnownNames } from '../../../src/store/answers/known-names.ts'

const nameOf = (nth: number) => createHash('sha256').update(String(nth)).digest('base64url')

test('a set of names has all that were added, and few others', () => {
  const names = new KnownNames()
  const added = Array.from({ length: 100_000 }, (_, nth) => nameOf(nth))
  for (const name of added) names.add(name)
  expect(added.every((name) => names.has(name))).toBe(true)
  const others = Array.from({ length: 20_000 }, (_, nth) => nameOf(-1 - nth))
  expect(others.filter((name) => names.has(name)).length).toBeLessThan(40)
})
