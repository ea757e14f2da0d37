import { expect, test } from 'vitest'
import { pauseAsked } from '../../src/wire/retry-after.ts'

const now = Date.parse('2026-02-14T20:00:00Z')

test.each([
  ['3', 3_000],
  ['9', 9_000],
  ['0.5', 500],
  ['Sat, 14 Feb 2026 20:00:05 GMT', 5_000],
  ['Saturday, 14-Feb-26 20:00:05 GMT', 5_000],
  ['Sat Feb 14 20:00:05 2026', 5_000],
  ['Sat, 14 Feb 2026 19:59:00 GMT', 0],
  ['-3', 0],
  ['soon', 0],
  ['', 0],
  [undefined, 0],
])('`retry-after: %s` asks for %d milliseconds', (header, pause) => {
  expect(pauseAsked({ 'retry-after': header }, now)).toBe(pause)
})

test('a date is compared with the clock of the service that wrote it', () => {
  const headers = { 'retry-after': 'Sat, 14 Feb 2026 19:58:35 GMT', date: 'Sat, 14 Feb 2026 19:58:30 GMT' }
  expect(pauseAsked(headers, now)).toBe(5_000)
  expect(pauseAsked({ ...headers, date: 'yesterday' }, now)).toBe(0)
})
