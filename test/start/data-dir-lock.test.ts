import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdDataDir, LOCK_FILE } from '../../src/start/data-dir-lock.ts'

let folder: string
const warnings: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-'))
  warnings.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  [false, /they may overspend a budget together/],
  [true, /count its own spending twice/],
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

test('a damaged lock is named as the one file to delete, and is left as it is', () => {
  const file = join(folder, LOCK_FILE)
  writeFileSync(file, 'no lock '.repeat(1_000))
  holdDataDir(folder, false, (message) => void warnings.push(message), 10_000)()
  expect(warnings).toEqual([
    `The file ${file} is damaged, so another process that uses DATA_DIR is not noticed. It has no data: delete this one file, and start again.`,
  ])
  expect(readFileSync(file, 'utf8')).toBe('no lock '.repeat(1_000))
})

test.each([
  ['lock', () => rmSync(join(folder, LOCK_FILE))],
  ['folder', () => rmSync(folder, { recursive: true })],
])('a deleted %s is created anew, so that a second process is still told', async (_what, drop) => {
  const warn = (message: string) => void warnings.push(message)
  const first = holdDataDir(folder, false, warn, 10)
  drop()
  await expect.poll(() => existsSync(join(folder, LOCK_FILE))).toBe(true)
  const second = holdDataDir(folder, false, warn, 10_000)
  expect(warnings).toEqual([expect.stringContaining('Another process uses DATA_DIR')])
  second()
  first()
})
