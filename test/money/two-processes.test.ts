import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isRefusal } from '../../src/money/booked.ts'
import type { Booked } from '../../src/money/booked.ts'
import { LedgerFile } from '../../src/money/ledger-file.ts'
import { Ledgers } from '../../src/money/ledgers.ts'
import { openLedger } from '../../src/money/open-ledger.ts'

let now = 0
let folder: string
const open: Ledgers[] = []
beforeEach(() => {
  now = Date.parse('2026-02-14T12:00:00Z')
  folder = mkdtempSync(join(tmpdir(), 'processes-'))
})
afterEach(async () => {
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

test('decimal bills leave no noise', async () => {
  const [old, next] = [await started(), await started()]
  const underway = await reserve(old, 0.3)
  for (const tokens of [0.1, 0.2]) await spend(old, tokens)
  expect(told(next)).toEqual([0.6, 0.6, 49.4, 3])
  settle(underway, 0)
  await old.books.written
  expect(told(next)[0]).toBe(0.3)
})
