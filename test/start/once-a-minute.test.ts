import { expect, test } from 'vitest'
import { onceAMinute } from '../../src/start/once-a-minute.ts'

test('each text is told at once, and again after a minute if it comes again', () => {
  let now = 0
  const told: string[] = []
  const tell = onceAMinute(
    (text) => told.push(`${now} ${text}`),
    () => now,
  )
  for (const [at, text] of [
    [0, 'refused'],
    [30_000, 'refused'],
    [30_000, 'DNS'],
    [59_999, 'refused'],
    [60_000, 'refused'],
    [90_000, 'DNS'],
    [119_999, 'refused'],
    [200_000, 'refused'],
  ] as const) {
    now = at
    tell(text)
  }
  expect(told).toEqual(['0 refused', '30000 DNS', '60000 refused', '90000 DNS', '200000 refused'])
})
