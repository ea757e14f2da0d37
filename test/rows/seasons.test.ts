import { expect, test } from 'vitest'
import { defaultFreshFor } from '../../src/rows/freshness.ts'
import { Seasons } from '../../src/rows/seasons.ts'
import { heapInUse } from '../heap.ts'

const now = Date.parse('2026-02-14T20:00:00Z')

test('to ask about a season stores nothing: clients name any number of organizations and years', () => {
  const seasons = new Seasons(defaultFreshFor)
  const before = heapInUse()
  for (let organization = 0; organization < 200; organization += 1)
    for (let year = 1_801; year < 2_026; year += 1)
      seasons.needsRevalidation(`organization ${organization}`, year, now)
  expect((heapInUse() - before) / 1e6).toBeLessThan(2)
  expect(seasons.underWay({ organization_id: 'organization 0' }, now)).toBeUndefined() // it is in use until here
})

test('what is known of thousands of seasons is forgotten, and is learned again', () => {
  const seasons = new Seasons(defaultFreshFor)
  const season = seasons.of('first', 2_026)
  const learn = (organization: string) => {
    for (let year = 1_801; year < 2_801; year += 1) seasons.of(organization, year)
  }
  for (const organization of ['a', 'b', 'c', 'd']) learn(organization)
  expect(seasons.of('first', 2_026)).toBe(season)
  for (const organization of ['e', 'f', 'g']) learn(organization)
  expect(seasons.of('first', 2_026)).not.toBe(season)
})
