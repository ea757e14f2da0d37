import { describe, expect, test } from 'vitest'
import { isRefusal } from '../../src/money/booked.ts'
import { MemoryLedger } from '../../src/money/ledger-memory.ts'
import { Ledgers } from '../../src/money/ledgers.ts'
import type { Purpose, User } from '../../src/money/purpose.ts'

let now = Date.parse('2026-02-14T12:00:00Z')
const clock = () => now
const purpose = {
  service: 'team/read',
  users: [{ client: 'test', operation: 'Test', rows: 1 }],
  calls: 1,
} as const
const spend = (ledgers: Ledgers, key: string, tokens: number, estimated = false) => {
  const reservation = ledgers.reserve(ledgers.nameOf(key), tokens, purpose)
  if (!isRefusal(reservation)) reservation.settle({ tokens, bytes: 10, estimated })
  ledgers.countCall(ledgers.nameOf(key))
  return !isRefusal(reservation)
}
const spent = (ledgers: Ledgers, key: string) => ledgers.of(ledgers.nameOf(key)).totals().tokens

describe('the ledgers of several keys', () => {
  test('keep this month while sums of earlier ones arrive', () => {
    const ledgers = new Ledgers(10, clock)
    const sums = { tokens: 8, estimated: 0, bytes: 80, calls: 1, reserved: 0 }
    for (const month of ['2026-02', '2026-01', '2025-12', '2025-11'])
      ledgers.onElsewhere({ kind: 'key', name: ledgers.nameOf('a'), month }, sums)
    expect(spent(ledgers, 'a')).toBe(8)
  })

  test('count each key alone, and all together', () => {
    const ledgers = new Ledgers(10, clock)
    expect(spend(ledgers, 'a', 9)).toBe(true)
    expect(spend(ledgers, 'b', 5)).toBe(true)
    expect(spend(ledgers, 'a', 2)).toBe(false)
    expect(['a', 'b', 'c'].map((key) => spent(ledgers, key))).toEqual([9, 5, 0])
    expect(ledgers.totals()).toMatchObject({ month: '2026-02', tokens: 14, bytes: 20 })
  })

  test('count a call in the month in which its headers came, as the record does', async () => {
    const store = new MemoryLedger()
    const ledgers = new Ledgers(1_000, clock, { store })
    now = Date.parse('2026-02-28T23:59:59.900Z')
    const before = ledgers.reserve(ledgers.nameOf('a'), 9, purpose)
    const after = ledgers.reserve(ledgers.nameOf('a'), 9, purpose)
    if (isRefusal(before) || isRefusal(after)) throw new Error('refused')
    before.book(8)
    now = Date.parse('2026-03-01T00:00:00.100Z')
    before.settle({ tokens: 8, bytes: 80, estimated: false })
    after.settle({ tokens: 5, bytes: 50, estimated: false })
    expect(ledgers.of(ledgers.nameOf('a')).totals()).toMatchObject({ month: '2026-03', tokens: 5, bytes: 50 })
    const rows = await store.spending('2026-01-01', '2026-12-31')
    expect(rows.map(({ day, hour, tokens, bytes }) => ({ day, hour, tokens, bytes }))).toEqual([
      { day: '2026-02-28', hour: '23', tokens: 8, bytes: 80 },
      { day: '2026-03-01', hour: '00', tokens: 5, bytes: 50 },
    ])
    now = Date.parse('2026-02-14T12:00:00Z')
    expect(ledgers.of(ledgers.nameOf('a')).totals()).toMatchObject({ month: '2026-02', tokens: 8, bytes: 80 })
  })

  test('never forget what a key was billed, after ten thousand others', () => {
    const ledgers = new Ledgers(10, clock)
    spend(ledgers, 'a', 9)
    for (let nth = 0; nth < 10_000; nth += 1) spend(ledgers, `billed ${nth}`, 1)
    for (let nth = 0; nth < 10_000; nth += 1) spend(ledgers, `made-up ${nth}`, 0)
    expect(spent(ledgers, 'a')).toBe(9)
    expect(spent(ledgers, 'billed 0')).toBe(1)
    expect(spend(ledgers, 'a', 2)).toBe(false)
    expect(ledgers.size).toBe(10_001 + 1_000)
    expect(ledgers.totals()).toMatchObject({ tokens: 10_009, calls: 20_002 })
  })

  test('are bounded: keys with estimated tokens alone make room, then new keys are refused', () => {
    const ledgers = new Ledgers(10, clock, { most: 3 })
    spend(ledgers, 'a', 1)
    spend(ledgers, 'estimated', 1, true)
    spend(ledgers, 'b', 1)
    expect(spend(ledgers, 'c', 1)).toBe(true)
    expect(spend(ledgers, 'd', 1)).toBe(false)
    expect(spend(ledgers, 'a', 1)).toBe(true)
    expect(['a', 'b', 'c', 'estimated'].map((key) => spent(ledgers, key))).toEqual([2, 1, 1, 0])
    now = Date.parse('2026-03-01T00:00:00Z')
    expect(spend(ledgers, 'd', 1)).toBe(true)
    now = Date.parse('2026-02-14T12:00:00Z')
  })

  test('keep a reservation until it is settled', () => {
    const ledgers = new Ledgers(10, clock, { most: 1 })
    const reservation = ledgers.reserve(ledgers.nameOf('a'), 8, purpose)
    if (isRefusal(reservation)) throw new Error('refused')
    const refused = { refusedBy: 'key', budgets: [] }
    expect(ledgers.reserve(ledgers.nameOf('a'), 3, purpose)).toEqual(refused)
    expect(ledgers.reserve(ledgers.nameOf('b'), 3, purpose)).toEqual(refused)
    reservation.book(4)
    expect(spent(ledgers, 'a')).toBe(4)
    expect(ledgers.of(ledgers.nameOf('a')).covers(6)).toBe(true)
    reservation.settle({ tokens: 4, bytes: 100, estimated: false })
    expect(ledgers.of(ledgers.nameOf('a')).totals()).toMatchObject({ tokens: 4, bytes: 100 })
  })

  test('take names of bounded length, whatever a client sends as its key', () => {
    const ledgers = new Ledgers(10, clock)
    expect(ledgers.nameOf('x'.repeat(16_000))).toHaveLength(43)
    expect(ledgers.nameOf('a')).not.toBe(ledgers.nameOf('b'))
  })
})

describe('a call that clients with different budgets share', () => {
  const named = (client: string, rows = 1) => ({ client, operation: 'Test', rows })
  const shared = (...users: [User, ...User[]]): Purpose => ({ ...purpose, users })
  const open = (ledgers: Ledgers, tokens: number, of: Purpose) => {
    const reservation = ledgers.reserve('key', tokens, of)
    if (isRefusal(reservation)) throw new Error(`refused by ${reservation.budgets.join()}`)
    return reservation
  }

  test('is reserved in each budget by rows, and charged as its bill is divided', () => {
    const clientBudgets = new Map([
      ['a', 100],
      ['b', 100],
    ])
    const ledgers = new Ledgers(null, clock, { clientBudgets })
    const call = open(ledgers, 10, shared(named('a'), named('none', 2), named('b'), named('a')))
    const refused = { refusedBy: 'client', budgets: ['a'] }
    expect(ledgers.reserve('key', 97, shared(named('a')))).toEqual(refused)
    open(ledgers, 96, shared(named('a'))).settle({ tokens: 0, bytes: 0, estimated: false })
    call.settle({ tokens: 5, bytes: 50, estimated: false })
    expect(['a', 'b', 'none'].map((name) => ledgers.remainingOfClient(name))).toEqual([98, 99, null])
    expect(ledgers.totals().tokens).toBe(5)
  })

  test('names all budgets that do not cover their share, and reserves nothing', () => {
    const clientBudgets = new Map([
      ['a', 0],
      ['b', 100],
      ['*', 1],
    ])
    const ledgers = new Ledgers(100, clock, { clientBudgets })
    const all = shared(named('b'), named('a'), named('x'), named('y'))
    expect(ledgers.reserve('key', 8, all)).toEqual({ refusedBy: 'client', budgets: ['a', '*'] })
    expect(ledgers.of('key').covers(100)).toBe(true)
    open(ledgers, 100, shared(named('b')))
  })

  test('costs no less than a token of each budget', () => {
    const clientBudgets = new Map([
      ['a', 0],
      ['b', 100],
    ])
    const ledgers = new Ledgers(100, clock, { clientBudgets })
    const refused = { refusedBy: 'client', budgets: ['a'] }
    expect(ledgers.reserve('key', 1, shared(named('b', 1_000), named('a')))).toEqual(refused)
  })

  test('is recorded whole if a client with a budget has the name of all that are combined', async () => {
    const clientBudgets = new Map([
      ['other', 100],
      ['a', 100],
    ])
    const ledgers = new Ledgers(null, clock, { clientBudgets })
    const bill = { bytes: 1, estimated: false }
    for (let nth = 0; nth < 1_000; nth += 1)
      open(ledgers, 1, shared(named(`client ${nth}`))).settle({ ...bill, tokens: 1 })
    open(ledgers, 10, shared(named('a'), named('new'))).settle({ ...bill, tokens: 10 })
    const kept = await ledgers.books.store.spending('2026-02-01', '2026-02-31')
    expect(kept.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(1_010)
    expect(['other', 'a'].map((name) => ledgers.remainingOfClient(name))).toEqual([100, 95])
  })
})
