import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdDataDir } from '../../src/start/data-folder.ts'

let folder: string
const warnings: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-'))
  warnings.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  [false, /each process may spend the whole budget/],
  [true, /count what it spent itself twice/],
])('a second process on a folder is told what follows from it (with Redis: %s)', async (hasRedis, told) => {
  const warn = (message: string) => void warnings.push(message)
  const first = holdDataDir(folder, hasRedis, warn, 10)
  const second = holdDataDir(folder, hasRedis, warn, 10)
  expect(warnings).toEqual([expect.stringMatching(told)])
  first()
  await expect.poll(() => warnings).toHaveLength(2)
  expect(warnings[1]).toContain('used by this process alone now')
  second()
  holdDataDir(folder, hasRedis, warn, 10)()
  expect(warnings).toHaveLength(2)
})
