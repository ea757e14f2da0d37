import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { Books } from '../../src/money/books.ts'
import { noClientBudgets } from '../../src/money/client-budgets.ts'
import { LEDGER_FILE } from '../../src/money/files/ledger-database.ts'
import { LedgerFile } from '../../src/money/files/ledger-file.ts'
import { OUTBOX_FILE, OutboxFile } from '../../src/money/files/outbox.ts'
import { NoLedgerError, readLedger } from '../../src/money/files/read-ledger.ts'
import { Ledgers } from '../../src/money/ledgers.ts'
import type { Purpose } from '../../src/money/purpose.ts'
import { ledgerOf } from '../../src/start/ledger.ts'
import { connectionOf } from '../../src/start/redis.ts'
import { SpendingUnknownError } from '../../src/start/spending-file.ts'

const root = mkdtempSync(join(tmpdir(), 'statline-damaged-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folder: string
const warn = vi.spyOn(console, 'warn')
beforeEach(() => {
  folder = mkdtempSync(join(root, 'data-'))
  warn.mockReset()
})
afterEach(() => void warn.mockReset())

const purpose: Purpose = {
  service: 'team/read',
  users: [{ client: 'web', operation: 'Q', rows: 1 }],
  calls: 1,
}

async function spend(books: Books, tokens: number): Promise<void> {
  books.open('key', tokens, purpose).settle({ tokens, bytes: 5, estimated: false })
  await books.written
}

/** Writes a ledger of 7 tokens as a process leaves it that is killed: the newest bills are in its log. */
async function killed(): Promise<void> {
  const own = mkdtempSync(join(root, 'killed-'))
  const books = new Books(Date.now, { store: new LedgerFile(own, Date.now()) })
  await spend(books, 7)
  for (const name of readdirSync(own))
    if (name.startsWith(LEDGER_FILE)) cpSync(join(own, name), join(folder, name))
  await books.close()
}

/** Writes a ledger of many pages as a process leaves it that has ended. */
async function ended(): Promise<void> {
  const books = new Books(Date.now, { store: new LedgerFile(folder, Date.now()) })
  for (let nth = 0; nth < 300; nth += 1)
    books
      .open('key', 1, { ...purpose, users: [{ client: `client ${nth}`, operation: 'Q', rows: 1 }] })
      .settle({ tokens: 1, bytes: 5, estimated: false })
  await books.close()
}

const log = `${LEDGER_FILE}-wal`
const path = (name: string) => join(folder, name)
const garbage = 'nothing that a ledger would hold\n'.repeat(100)

/** What can happen to a ledger, and how it is called. */
const damages: readonly (readonly [what: string, damage: () => Promise<void>, told: string])[] = [
  ['is garbage', async () => writeFileSync(path(LEDGER_FILE), garbage), 'file is not a database'],
  [
    'is cut to nothing beside its log',
    async () => {
      await killed()
      truncateSync(path(LEDGER_FILE), 0)
    },
    'it is empty',
  ],
  ['is cut to nothing', async () => writeFileSync(path(LEDGER_FILE), ''), 'it is empty'],
  [
    'is gone, and its log is there',
    async () => {
      await killed()
      rmSync(path(LEDGER_FILE))
    },
    'it is missing, but its log is there',
  ],
  [
    'has garbage as its log',
    async () => {
      await killed()
      writeFileSync(path(log), garbage)
    },
    'its log is damaged',
  ],
  [
    'had everything in a log that is gone',
    async () => {
      const database = new LibsqlDatabase(path(LEDGER_FILE))
      database.exec('pragma journal_mode = wal')
      database.close()
    },
    'its log is missing',
  ],
  [
    'is cut in half',
    async () => {
      await ended()
      truncateSync(path(LEDGER_FILE), 8_192)
    },
    'database disk image is malformed',
  ],
]

/** Hashes of the files of what was spent. What SQLite shares between processes has nothing, nor has an empty log. */
const contents = () =>
  readdirSync(folder)
    .filter((name) => name.startsWith('ledger') && !name.endsWith('-shm'))
    .map((name) => [name, readFileSync(path(name))] as const)
    .filter(([name, { length }]) => length > 0 || !name.endsWith('-wal'))
    .map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')] as const)

const opened = (environment: Record<string, string> = {}) =>
  ledgerOf(readConfig({ DATA_DIR: folder, ...environment }), null, noClientBudgets)

const monthOf = async (ledger: Awaited<ReturnType<typeof opened>>) => {
  const ledgers = new Ledgers(null, Date.now, ledger)
  const { tokens } = ledgers.totals()
  await ledgers.books.close()
  return tokens
}

describe.each(damages)('a ledger that %s', (_what, damage, told) => {
  beforeEach(damage)

  test('stops a start with a budget in one line that says what to do, and stays as it is', async () => {
    const before = contents()
    const start = opened({ MONTHLY_TOKEN_BUDGET: '100' })
    await expect(start).rejects.toThrow(SpendingUnknownError)
    await expect(start).rejects.toThrow(
      `The ledger in DATA_DIR (${path(LEDGER_FILE)}) is damaged: ${told}. So what was spent this month is not known, ` +
        'and the budgets of MONTHLY_TOKEN_BUDGET and CLIENT_BUDGETS cannot be kept. Restore a copy of it, or move it ' +
        'and ledger.sqlite-wal to another folder to begin at zero.',
    )
    expect(contents()).toEqual(before)
    expect(warn.mock.calls).toEqual([])
  })

  test('stops a start with client budgets', async () => {
    const before = contents()
    const budgets = new Map([['web', 5]])
    await expect(ledgerOf(readConfig({ DATA_DIR: folder }), null, budgets)).rejects.toThrow(
      SpendingUnknownError,
    )
    expect(contents()).toEqual(before)
  })

  test('is kept aside as it is without a budget, with one warning, and a new one is written', async () => {
    const before = contents()
    const first = await opened()
    const kept = `${LEDGER_FILE}.damaged-1`
    expect(warn.mock.calls).toEqual([
      [
        `The ledger in DATA_DIR (${path(LEDGER_FILE)}) is damaged: ${told}. It is kept as ${kept}, and a new one is ` +
          'begun: what was spent this month is not known. To go on from a copy, stop Statline and restore it as ' +
          'ledger.sqlite.',
      ],
    ])
    expect(contents().filter(([name]) => name.startsWith(kept))).toEqual(
      before.map(([name, content]) => [name.replace(LEDGER_FILE, kept), content]),
    )
    const books = new Books(Date.now, first)
    await spend(books, 3)
    await books.close()
    expect(await monthOf(await opened({ MONTHLY_TOKEN_BUDGET: '100' }))).toBe(3)
    expect(warn.mock.calls).toHaveLength(1)
  })

  test('is not changed by a bill', () => {
    const before = contents()
    // A log alone is not read, and a ledger whose log is missing has no table.
    expect(() => readLedger(folder, '2000-01-01', '2100-01-01')).toThrow(NoLedgerError)
    expect(contents()).toEqual(before)
  })
})

test('a second damaged ledger is kept beside the first', async () => {
  for (const content of ['first '.repeat(500), 'second '.repeat(500)]) {
    await monthOf(await opened())
    rmSync(path(LEDGER_FILE))
    writeFileSync(path(LEDGER_FILE), content)
  }
  await monthOf(await opened())
  const kept = ['damaged-1', 'damaged-2'].map((end) => readFileSync(path(`${LEDGER_FILE}.${end}`), 'utf8'))
  expect(kept.map((text) => text.slice(0, 5))).toEqual(['first', 'secon'])
})

test('a ledger that is whole goes on after a kill, with a budget', async () => {
  await killed()
  expect(await monthOf(await opened({ MONTHLY_TOKEN_BUDGET: '100' }))).toBe(7)
  expect(warn.mock.calls).toEqual([])
})

test('a ledger that is there and cannot be read stops a start with a budget', async () => {
  mkdirSync(path(LEDGER_FILE))
  await expect(opened({ MONTHLY_TOKEN_BUDGET: '100' })).rejects.toThrow(
    /^The ledger in DATA_DIR \(.*\) cannot be read: .*\. So what was spent this month is not known/,
  )
})

test('a budget without a folder that can be written is kept in memory, with a warning', async () => {
  expect(await opened({ MONTHLY_TOKEN_BUDGET: '100', DATA_DIR: '/dev/null/nothing' })).toBeUndefined()
  expect(warn.mock.calls).toEqual([[expect.stringContaining('Spending is counted in memory only.')]])
})

describe('bills that wait for Redis, in a file that is cut to nothing beside its log', () => {
  const nowhere = 'redis://127.0.0.1:1'

  beforeEach(() => {
    const own = mkdtempSync(join(root, 'outbox-'))
    const outbox = new OutboxFile(own)
    outbox.put({ process: 'p', number: 1, changes: [] })
    for (const name of readdirSync(own)) cpSync(join(own, name), path(name))
    outbox.close()
    truncateSync(path(OUTBOX_FILE), 0)
  })

  /** Opens the ledger that instances share, with a Redis that is away. */
  async function sharing(environment: Record<string, string>) {
    const config = readConfig({ DATA_DIR: folder, REDIS_URL: nowhere, ...environment })
    const redis = connectionOf(config)
    try {
      const ledger = await ledgerOf(config, redis, noClientBudgets)
      await ledger?.store.close()
    } finally {
      await redis?.close()
    }
  }

  test('stop a start with a budget, and stay as they are', async () => {
    const before = contents()
    await expect(sharing({ MONTHLY_TOKEN_BUDGET: '100' })).rejects.toThrow(
      /^The file of bills that wait for Redis in DATA_DIR \(.*\) is damaged: it is empty\. So the bills that waited/,
    )
    expect(contents()).toEqual(before)
  })

  test('are kept aside without a budget, with a warning', async () => {
    const before = contents()
    await sharing({})
    const kept = `${OUTBOX_FILE}.damaged-1`
    expect(warn.mock.calls.flat()).toContainEqual(expect.stringContaining(`It is kept as ${kept}, and`))
    expect(contents().filter(([name]) => name.startsWith(kept))).toEqual(
      before.map(([name, content]) => [name.replace(OUTBOX_FILE, kept), content]),
    )
    expect(existsSync(path(OUTBOX_FILE))).toBe(true)
  })
})
