import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { isRefusal } from '../../../src/money/booked.ts'
import type { Booked } from '../../../src/money/booked.ts'
import { LedgerFile } from '../../../src/money/files/ledger-file.ts'
import { Ledgers } from '../../../src/money/ledgers.ts'
import { openLedger } from '../../../src/money/open-ledger.ts'
import type { Purpose } from '../../../src/money/purpose.ts'

const folder = mkdtempSync(join(tmpdir(), 'statline-clock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const open: Ledgers[] = []
afterEach(async () => {
  for (const ledgers of open.splice(0)) await ledgers.books.close()
})

const today = '2026-02-14T20:00:00Z'
let now = Date.parse(today)
const clock = () => now
const setTo = (time: string) => (now = Date.parse(time))

const budget = 1_000
const clientBudgets = new Map([['web', 500]])
const purpose: Purpose = {
  service: 'team/read',
  users: [{ client: 'web', operation: 'Q', rows: 1 }],
  calls: 1,
}

/** A process over the ledger of a folder, or over none, with what is there of the clock's month. */
async function started(name: string | null): Promise<Ledgers> {
  const failed = (error: unknown) => expect(error).toBeNull()
  const file = name === null ? null : new LedgerFile(join(folder, name), now)
  const ledger = file ? await openLedger(file, now, failed) : {}
  const ledgers = new Ledgers(budget, clock, { clientBudgets, ...ledger })
  open.push(ledgers)
  return ledgers
}

function reserved(ledgers: Ledgers, tokens: number): Booked {
  const booked = ledgers.reserve('key', tokens, purpose)
  if (isRefusal(booked)) throw new Error('The budget does not allow this.')
  return booked
}

const spend = (ledgers: Ledgers, tokens: number) =>
  reserved(ledgers, tokens).settle({ tokens, bytes: 10 * tokens, estimated: false })

/** The month's totals, after another look for what others have spent. */
function told(ledgers: Ledgers) {
  ledgers.countOthers()
  const { month, tokens, bytes } = ledgers.totals()
  const ofKey = ledgers.of('key')
  const spent = [tokens, ofKey.totals().tokens, budget - Number(ofKey.remaining)]
  return { month, bytes, spent: [...spent, 500 - Number(ledgers.remainingOfClient('web'))] }
}

const month = (name: string, tokens: number) => ({
  month: name,
  bytes: 10 * tokens,
  spent: [tokens, tokens, tokens, tokens],
})

describe.each([
  ['memory alone', () => null],
  ['a file', () => `${(files += 1)}`],
])('a ledger in %s', (_what, name) => {
  test.each([
    [['2026-04-14T20:00:00Z']],
    [['2026-03-14T20:00:00Z', '2026-04-14T20:00:00Z']],
    [['2026-04-14T20:00:00Z', '2026-03-14T20:00:00Z']],
    [['2026-02-28T23:59:59Z', '2026-03-01T00:00:00Z', '2026-03-31T23:59:59Z', '2026-04-01T00:00:00Z']],
    [['2025-12-31T23:59:59Z', '2026-01-31T23:59:59Z']],
    [['2026-02-13T20:00:00Z']],
    [['2036-02-14T20:00:00Z', '1970-01-01T00:00:00Z', '2027-06-30T00:00:00Z']],
  ])('has all that was spent when the clock comes back from %j', async (times) => {
    setTo(today)
    const ledgers = await started(name())
    spend(ledgers, 10)
    for (const time of times) {
      setTo(time)
      told(ledgers)
    }
    setTo(today)
    expect(told(ledgers)).toEqual(month('2026-02', 10))
    spend(ledgers, 5)
    expect(told(ledgers)).toEqual(month('2026-02', 15))
  })

  test('counts a call that is under way while the clock is set, once, in the month of its headers', async () => {
    setTo('2026-02-28T23:59:59Z')
    const ledgers = await started(name())
    spend(ledgers, 10)
    const underway = reserved(ledgers, 7)
    setTo('2026-03-01T00:00:01Z')
    underway.book(4)
    for (const time of ['2026-04-01T00:00:00Z', '2026-05-01T00:00:00Z', '2026-02-28T23:00:00Z']) {
      setTo(time)
      told(ledgers)
    }
    underway.settle({ tokens: 4, bytes: 40, estimated: false })
    expect(told(ledgers)).toEqual(month('2026-02', 10))
    setTo('2026-03-01T00:00:02Z')
    expect(told(ledgers)).toEqual(month('2026-03', 4))
  })

  test('has in each month what was spent in it, wherever the clock is set', async () => {
    setTo(today)
    const ledgers = await started(name())
    const expected = new Map<string, number>()
    // Always the same numbers (Park and Miller).
    let seed = 7
    const random = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
    for (let nth = 0; nth < 60; nth += 1) {
      now = Date.parse(today) + (random(210) - 90) * 86_400_000 + random(86_400_000)
      const name = new Date(now).toISOString().slice(0, 7)
      if (random(3) > 0) {
        const tokens = 1 + random(9)
        spend(ledgers, tokens)
        expected.set(name, (expected.get(name) ?? 0) + tokens)
      }
      expect(told(ledgers)).toEqual(month(name, expected.get(name) ?? 0))
    }
  })
})

test('a process that starts while the clock is ahead knows the month once the clock is set back', async () => {
  setTo(today)
  const before = await started('ahead')
  spend(before, 10)
  await before.books.written
  setTo('2026-04-14T20:00:00Z')
  const ledgers = await started('ahead')
  expect(told(ledgers)).toEqual(month('2026-04', 0))
  setTo(today)
  expect(told(ledgers)).toEqual(month('2026-02', 10))
})
