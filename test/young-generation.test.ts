import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const limit = /--max-semi-space-size=(\d+)/g

test.each([
  ['package.json', 2],
  ['Dockerfile', 1],
  ['bench/child.ts', 1],
])('%s starts Node with the same limit of the young generation', (file, times) => {
  const found = [...readFileSync(file, 'utf8').matchAll(limit)].map(([, megabytes]) => megabytes)
  expect(found).toEqual(Array(times).fill('16'))
})
