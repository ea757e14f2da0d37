import { expect, test } from 'vitest'
import { slowdown } from '../../src/live/pace.ts'

test.each([
  [null, null, 1],
  [1_000, 1_000, 1],
  [250, 1_000, 1],
  [249, 1_000, 2],
  [120, 1_000, 4],
  [60, 1_000, 8],
  [10, 1_000, 16],
  [0, 1_000, 16],
  [0, 0, 1],
])('with %j of %j tokens left polls are so many times rarer: %j', (remaining, budget, factor) => {
  expect(slowdown(remaining, budget)).toBe(factor)
})
