import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isRefusal } from '../../../src/money/booked.ts'
import type { Booked } from '../../../src/money/booked.ts'
import { LEDGER_FILE } from '../../../src/money/files/ledger-database.ts'
import { LedgerFile } from '../../../src/money/files/ledger-file.ts'
import { Ledgers } from '../../../src/money/ledgers.ts'
import { openLedger } from '../../../src/money/open-ledger.ts'
import { readLedger } from '../../../src/money/files/read-ledger.ts'

let now = 0
let folder: string
const open: Ledgers[] = []
const children: ChildProcess[] = []
beforeEach(() => {
  now = Date.parse('2026-02-14T12:00:00Z')
  folder = mkdtempSync(join(tmpdir(), 'processes-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) await killed(child)
  for (const one of open.splice(0)) await one.books.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens the folder's ledger once more, as a process that starts does. */
async function started(): Promise<Ledgers> {
  const ledger = await openLedger(new LedgerFile(folder, now), now, (error) => {
    throw error
  })
  const clientBudgets = new Map([['web', 50]])
  const ledgers = new Ledgers(100, () => now, { ...ledger, clientBudgets })
  open.push(ledgers)
  return ledgers
}

/** Ends a process by a SIGKILL. */
async function killed(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null || child.exitCode !== null) return
  const ended = new Promise((end) => child.once('exit', end))
  child.kill('SIGKILL')
  await ended
}

async function reserve(ledgers: Ledgers, tokens: number, client = 'web', key = 'key'): Promise<Booked> {
  const users = [{ client, operation: 'Teams', rows: 1 }] as const
  const booked = ledgers.reserve(key, tokens, { service: 'team/read', users, calls: 1 })
  if (isRefusal(booked)) throw new Error('refused')
  await booked.written
  return booked
}

const settle = (booked: Booked, tokens: number) => booked.settle({ tokens, bytes: 10, estimated: false })

async function spend(ledgers: Ledgers, tokens: number, client?: string, key?: string): Promise<void> {
  const booked = await reserve(ledgers, tokens, client, key)
  ledgers.countCall(key ?? 'key')
  settle(booked, tokens)
  await ledgers.books.written
}

const told = (ledgers: Ledgers) => {
  ledgers.countOthers()
  const { tokens, calls } = ledgers.of('key').totals()
  return [tokens, ledgers.totals().tokens, ledgers.remainingOfClient('web'), calls]
}

/** Tokens, estimated tokens and calls, as `statline bill` reads them. */
function billed() {
  const rows = readLedger(folder, '2026-02-01', '2026-02-28')
  const sum = (name: 'tokens' | 'estimated' | 'calls') => rows.reduce((all, row) => all + row[name], 0)
  return [sum('tokens'), sum('estimated'), sum('calls')]
}

test('a process counts what the other one spends on the same ledger, once', async () => {
  const [old, next] = [await started(), await started()]
  await spend(old, 7)
  await spend(next, 2)
  await spend(old, 5, 'app')
  expect(told(next)).toEqual([14, 14, 41, 3])
  expect(told(next)).toEqual([14, 14, 41, 3])
  expect(told(old)).toEqual([14, 14, 41, 3])
  await spend(next, 1, 'web', 'other key')
  expect(told(old)).toEqual([14, 15, 40, 3])
})

test('a call under way at a start is booked at its estimate and corrected when its bill arrives', async () => {
  const old = await started()
  const underway = await reserve(old, 9)
  const next = await started()
  expect(told(next)).toEqual([9, 9, 41, 1])
  settle(underway, 2)
  await old.books.written
  expect(told(next)).toEqual([2, 2, 48, 1])
  expect(old.of('key').totals().tokens).toBe(2)
})

test('own reservations and bills that are not written yet are not taken for the other’s', async () => {
  const [old, next] = [await started(), await started()]
  const [first, second] = [await reserve(next, 5), await reserve(next, 6)]
  settle(first, 4)
  await spend(old, 10)
  expect(told(next)).toEqual([14, 14, 36, 1])
  // A third start books the second one at its estimate.
  await started()
  expect(told(next)).toEqual([14, 14, 36, 1])
  settle(second, 3)
  expect(told(next)).toEqual([17, 17, 33, 1])
  await next.books.written
  expect(told(next)).toEqual([17, 17, 33, 1])
  expect(told(old)[0]).toBe(17)
})

test('a month that begins meanwhile counts only its own spending', async () => {
  const [old, next] = [await started(), await started()]
  await spend(old, 7)
  now = Date.parse('2026-03-01T00:00:01Z')
  expect(told(next)).toEqual([0, 0, 50, 0])
  await spend(old, 3)
  await spend(next, 1)
  expect(told(next)).toEqual([4, 4, 46, 2])
})

describe('a clock that was set back', () => {
  const [february, march] = ['2026-02-28T12:00:00Z', '2026-03-01T12:00:00Z'].map((text) => Date.parse(text))
  const at = (time = 0) => (now = time)

  test('before a start: the next month has what was spent in it', async () => {
    at(march)
    const before = await started()
    await spend(before, 7)
    at(february)
    const next = await started()
    await spend(next, 2)
    expect(told(next)).toEqual([2, 2, 48, 1])
    at(march)
    await expect(reserve(next, 44)).rejects.toThrow('refused')
    expect(told(next)).toEqual([7, 7, 43, 1])
    await spend(before, 3)
    await spend(next, 1)
    expect(told(next)).toEqual([11, 11, 39, 3])
    at(february)
    expect(told(next)).toEqual([2, 2, 48, 1])
  })

  test('after a start: the month before has what was spent in it', async () => {
    at(february)
    await spend(await started(), 7)
    at(march)
    const next = await started()
    await spend(next, 2)
    at(february)
    await expect(reserve(next, 44)).rejects.toThrow('refused')
    expect(told(next)).toEqual([7, 7, 43, 1])
    at(march)
    expect(told(next)).toEqual([2, 2, 48, 1])
  })
})

test('a month that ends during a start leaves its spending behind', async () => {
  now = Date.parse('2026-02-28T23:59:59.900Z')
  await spend(await started(), 7)
  const ledger = await openLedger(new LedgerFile(folder, now), now, () => {})
  now = Date.parse('2026-03-01T00:00:00.100Z')
  const next = new Ledgers(100, () => now, { ...ledger, clientBudgets: new Map([['web', 50]]) })
  open.push(next)
  expect(told(next)).toEqual([0, 0, 50, 0])
  await spend(next, 2)
  expect(told(next)).toEqual([2, 2, 48, 1])
})

test('a start reads its month once, and one that begins', async () => {
  await spend(await started(), 7)
  const file = new LedgerFile(folder, now)
  const next = new Ledgers(100, () => now, await openLedger(file, now, () => {}))
  open.push(next)
  const read = vi.spyOn(file, 'changedElsewhere')
  for (let nth = 0; nth < 3; nth += 1) next.countOthers()
  expect(read.mock.results.map(({ value }) => value as unknown)).toEqual([null, null, null])
  now = Date.parse('2026-03-01T00:00:01Z')
  for (let nth = 0; nth < 2; nth += 1) next.countOthers()
  expect(read.mock.results.slice(3).map(({ value }) => value as unknown)).toEqual([[], null])
})

test('decimal bills leave no noise', async () => {
  const [old, next] = [await started(), await started()]
  const underway = await reserve(old, 0.3)
  for (const tokens of [0.1, 0.2]) await spend(old, tokens)
  expect(told(next)).toEqual([0.6, 0.6, 49.4, 3])
  settle(underway, 0)
  await old.books.written
  expect(told(next)[0]).toBe(0.3)
})

describe('calls under way of a process that is killed', () => {
  const dist = join(import.meta.dirname, '../../../dist/money')
  const program = `
    const [dist, folder, now, ...calls] = process.argv.slice(1)
    const { LedgerFile } = await import(dist + '/files/ledger-file.js')
    const { Books } = await import(dist + '/books.js')
    const books = new Books(() => Number(now), { store: new LedgerFile(folder, Number(now)) })
    const users = [{ client: 'web', operation: 'Teams', rows: 1 }]
    for (const tokens of calls) books.open('key', Number(tokens), { service: 'team/read', users, calls: 1 })
    await books.written
    console.log('reserved')
    setInterval(() => {}, 1_000)
  `

  /** Starts another process on the folder, which has calls with these estimates under way. */
  async function other(...calls: number[]): Promise<ChildProcess> {
    const values = [dist, folder, String(now), ...calls.map(String)]
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...values], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    await new Promise((reserved, fail) => {
      child.stdout.once('data', reserved)
      child.once('exit', () => fail(new Error('the process has ended')))
    })
    return child
  }

  const locks = () => readdirSync(folder).filter((name) => name.endsWith('.lock'))

  test('are booked as estimated once by the one that goes on, and not while it runs', async () => {
    const ours = await started()
    await spend(ours, 2)
    const own = await reserve(ours, 1)
    const child = await other(9, 4)
    for (const _again of [1, 2]) {
      expect(told(ours)).toEqual([15, 15, 35, 3])
      // Its start has booked what is under way here.
      expect(billed()).toEqual([3, 1, 2])
    }
    await killed(child)
    for (const _again of [1, 2]) {
      expect(told(ours)).toEqual([15, 15, 35, 3])
      expect(billed()).toEqual([16, 14, 4])
    }
    ours.countCall('key')
    settle(own, 2)
    await ours.books.written
    expect(told(ours)).toEqual([17, 17, 33, 4])
    expect(billed()).toEqual([17, 13, 4])
    expect(told(await started())).toEqual([17, 17, 33, 4])
  })

  test('are booked also if several are killed, but not those of one that still runs', async () => {
    const ours = await started()
    const [first, second, third] = [await other(9), await other(4), await other(2)]
    expect(told(ours)[0]).toBe(15)
    // Each start has booked what was under way before.
    expect(billed()).toEqual([13, 13, 2])
    const fourth = await other(8)
    await Promise.all([first, third].map(killed))
    expect(told(ours)[0]).toBe(23)
    expect(billed()).toEqual([15, 15, 3])
    await Promise.all([second, fourth].map(killed))
    expect(told(ours)).toEqual([23, 23, 27, 4])
    expect(billed()).toEqual([23, 23, 4])
    expect(locks()).toHaveLength(1)
  })

  test('are booked once if two processes go on', async () => {
    const both = [await started(), await started()]
    await killed(await other(9, 4))
    for (const one of [...both, ...both]) expect(told(one)).toEqual([13, 13, 37, 2])
    expect(billed()).toEqual([13, 13, 2])
  })

  test.each([
    ['locks the ledger', 'begin immediate', 'rollback'],
    [
      'has filled the disk',
      `create trigger full before insert on spending begin select raise(abort, 'full'); end`,
      'drop trigger full',
    ],
  ])('are booked later if another program %s at first', async (_what, begin, end) => {
    const ours = await started()
    const child = await other(9, 4)
    const program = new LibsqlDatabase(join(folder, LEDGER_FILE))
    try {
      program.exec(begin)
      await killed(child)
      for (const _again of [1, 2]) {
        expect(told(ours)).toEqual([13, 13, 37, 2])
        expect(billed()).toEqual([0, 0, 0])
      }
      program.exec(end)
    } finally {
      program.close()
    }
    expect(told(ours)).toEqual([13, 13, 37, 2])
    expect(billed()).toEqual([13, 13, 2])
  })

  test('are known by a locked file, which goes with its process and is locked again if it is deleted', async () => {
    const ours = await started()
    const [own = ''] = locks()
    rmSync(join(folder, own))
    told(ours)
    expect(locks()).toEqual([own])
    const next = await started()
    await reserve(next, 5)
    told(ours)
    expect(locks()).toHaveLength(2)
    open.splice(open.indexOf(next), 1)
    await next.books.close()
    // What it has not ended is booked by the others.
    expect(locks()).toHaveLength(2)
    told(ours)
    expect(billed()).toEqual([5, 5, 1])
    expect(locks()).toEqual([own])
    open.splice(open.indexOf(ours), 1)
    await ours.books.close()
    await killed(await other(3))
    const last = await started()
    told(last)
    open.splice(open.indexOf(last), 1)
    await last.books.close()
    expect(readdirSync(folder).filter((name) => name.startsWith('running-'))).toEqual([])
  })
})

test('two processes go on in one file if it is deleted, with every bill once', async () => {
  const [ours, theirs] = [await started(), await started()]
  await spend(ours, 3)
  await spend(theirs, 4)
  const pending = await reserve(theirs, 20)
  rmSync(join(folder, LEDGER_FILE))
  await spend(ours, 5)
  settle(pending, 6)
  await theirs.books.written
  await spend(theirs, 7)
  expect(billed()).toEqual([25, 0, 5])
  for (const one of open.splice(0)) await one.books.close()
  expect(billed()).toEqual([25, 0, 5])
  const next = await started()
  await spend(next, 1)
  expect(billed()).toEqual([26, 0, 6])
})

test('a file that is deleted is written again without a call, and the other process reads it', async () => {
  const [ours, theirs] = [await started(), await started()]
  await spend(ours, 3)
  rmSync(join(folder, LEDGER_FILE))
  told(ours)
  expect(billed()).toEqual([3, 0, 1])
  await spend(ours, 4)
  expect(told(theirs)).toEqual([7, 7, 43, 2])
})
