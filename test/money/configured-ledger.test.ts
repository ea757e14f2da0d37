import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { ledgerOf } from '../../src/configured-ledger.ts'
import { LEDGER_FILE } from '../../src/money/ledger-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => void vi.restoreAllMocks())

test('a damaged ledger is left as it is, and the warning says what to do', async () => {
  const file = join(folder, LEDGER_FILE)
  const damaged = 'nothing that a ledger would hold\n'.repeat(100)
  writeFileSync(file, damaged)
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  expect(await ledgerOf(readConfig({ DATA_DIR: folder }), null)).toBeUndefined()
  expect(warn.mock.calls).toEqual([
    [
      `The ledger in DATA_DIR (${folder}) cannot be written: file is not a database. ` +
        'Spending is counted in memory only. ' +
        'The file ledger.sqlite is damaged: stop Statline and restore a copy of it, or delete it to begin at zero.',
    ],
  ])
  expect(readFileSync(file, 'utf8')).toBe(damaged)
})

test('a ledger that cannot be opened is one plain line', async () => {
  const own = join(folder, 'a folder')
  mkdirSync(join(own, LEDGER_FILE), { recursive: true })
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  expect(await ledgerOf(readConfig({ DATA_DIR: own }), null)).toBeUndefined()
  expect(warn.mock.calls).toEqual([
    [
      `The ledger in DATA_DIR (${own}) cannot be written: the file cannot be opened for writing. ` +
        'Spending is counted in memory only.',
    ],
  ])
})
