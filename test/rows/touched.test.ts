import { expect, test } from 'vitest'
import { Entry } from '../../src/rows/entry.ts'
import { Touched } from '../../src/rows/touched.ts'

test('what an answer refers to is counted with the names of slots, which may be as long as a search', () => {
  const touched = new Touched()
  const [team, league] = [new Entry('team'), new Entry('league')]
  touched.add(team)
  touched.add(team)
  touched.add(league, `search ${'x'.repeat(1_000)}`)
  expect(touched.count).toBe(2)
  expect(touched.bytes).toBeGreaterThan(1_050)
  expect(touched.bytes).toBeLessThan(1_200)
})
