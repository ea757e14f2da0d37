import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { noClientBudgets } from '../../src/money/client-budgets.ts'
import { ledgerOf } from '../../src/start/ledger.ts'
import { Books } from '../../src/money/books.ts'
import { LEDGER_FILE } from '../../src/money/files/ledger-database.ts'
import { LedgerFile } from '../../src/money/files/ledger-file.ts'
import type { Purpose } from '../../src/money/purpose.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => void vi.restoreAllMocks())

test('a ledger that cannot be opened is one plain line', async () => {
  const own = join(folder, 'a folder')
  mkdirSync(join(own, LEDGER_FILE), { recursive: true })
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  expect(await ledgerOf(readConfig({ DATA_DIR: own }), null, noClientBudgets)).toBeUndefined()
  expect(warn.mock.calls).toEqual([
    [
      `The ledger in DATA_DIR (${own}) cannot be written: the file cannot be opened for writing. ` +
        'Spending is counted in memory only.',
    ],
  ])
})

const purpose: Purpose = {
  service: 'team/read',
  users: [{ client: 'web', operation: 'Q', rows: 1 }],
  calls: 1,
}

test.each([0, 2])(
  'a ledger that is locked at the start, for %d calls, is reported once, and again when it is locked later',
  async (calls) => {
    const own = join(folder, `locked for ${calls}`)
    await new LedgerFile(own, Date.now()).close()
    const other = new LibsqlDatabase(join(own, LEDGER_FILE))
    other.exec('begin immediate')
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const told = [
      `The ledger in DATA_DIR (${own}) cannot be written: database is locked. ` +
        'What is spent waits in memory until it can be.',
    ]
    const waits = { busyMs: 100, shortWaitMs: 5 }
    const config = readConfig({ DATA_DIR: own })
    const books = new Books(Date.now, await ledgerOf(config, null, noClientBudgets, waits))
    const spend = async () => {
      books.open('key', 2, purpose).settle({ tokens: 2, bytes: 5, estimated: false })
      await books.written
      return books.isFailing
    }
    for (let nth = 0; nth < calls; nth += 1) expect(await spend()).toBe(true)
    other.exec('rollback')
    await expect.poll(spend).toBe(false)
    expect(warn.mock.calls).toEqual([told])

    other.exec('begin immediate')
    for (let nth = 0; nth < 2; nth += 1) expect(await spend()).toBe(true)
    expect(warn.mock.calls).toEqual([told, told])
    other.close()
    await books.close()
  },
)
