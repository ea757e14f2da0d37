import { describe, expect, test } from 'vitest'
import { noBill } from '../../src/money/bill.ts'
import type { Booked } from '../../src/money/booked.ts'
import { MemoryLedger } from '../../src/money/ledger-memory.ts'
import { Ledgers } from '../../src/money/ledgers.ts'
import { Prepaid } from '../../src/money/prepaid.ts'
import type { Purpose } from '../../src/money/purpose.ts'
import type { SharedLedger } from '../../src/money/shared-ledger.ts'

let now = Date.parse('2026-02-14T12:00:00Z')
const of = (client: string, service = 'team/read'): Purpose => ({
  service,
  users: [{ client, operation: 'A', rows: 1 }],
  calls: 1,
})

const budget = 10_000

/** A process that has reserved tokens in advance, and the batches that it has written. */
async function started(tokens = 30) {
  const memory = new MemoryLedger()
  const batches: string[][] = []
  // It grants everything.
  const shared: SharedLedger = {
    isDurable: true,
    nameOf: memory.nameOf,
    write(changes) {
      batches.push(changes.map(({ kind, opened }) => `${kind} ${opened.tokens} ${opened.day}`).toSorted())
      return memory.write(changes)
    },
    spending: (from, to) => memory.spending(from, to),
    share: () => {},
    refresh: async () => {},
    recalled: async () => {},
    close: async () => {},
  }
  const ledgers = new Ledgers(budget, () => now, { store: shared, shared })
  const key = ledgers.nameOf('key')
  const prepaid = await ledgers.prepay(key, tokens, of('app'))
  if (!prepaid) throw new Error('refused')
  /** The tokens that calls under way have reserved. */
  const reserved = () => {
    const ledger = ledgers.of(key)
    const left = ledger.remaining ?? 0
    let least = 0
    while (!ledger.covers(left - least)) least += 1
    return least
  }
  return { ledgers, prepaid, reserved, batches }
}

describe('a reservation in advance', () => {
  test('is replaced by those of its calls, in one write', async () => {
    const { ledgers, prepaid, reserved, batches } = await started()
    const calls = [12, 8, 5].map((tokens) => prepaid.draw(tokens, of('app')))
    prepaid.end()
    expect(calls.map((call) => [call?.tokens, call?.written])).toEqual([
      [12, undefined],
      [8, undefined],
      [5, undefined],
    ])
    expect(reserved()).toBe(25)
    await ledgers.books.written
    expect(batches).toEqual([
      ['open 30 2026-02-14'],
      ['open 12 2026-02-14', 'open 5 2026-02-14', 'open 8 2026-02-14', 'settle 30 2026-02-14'],
    ])
    calls[0]?.book(11)
    for (const call of calls) call?.settle({ tokens: 11, bytes: 1, estimated: false })
    expect(reserved()).toBe(0)
    await ledgers.books.written
    expect((await ledgers.books.spending('2026-02-01', '2026-02-31')).map(({ tokens }) => tokens)).toEqual([
      33,
    ])
  })

  test('is given back whole if its first call ends before another one draws', async () => {
    const { ledgers, prepaid, reserved, batches } = await started()
    prepaid.draw(12, of('app'))?.settle(noBill)
    const second = prepaid.draw(8, of('app'))
    prepaid.end()
    expect(reserved()).toBe(8)
    second?.settle(noBill)
    await ledgers.books.written
    expect(reserved()).toBe(0)
    const changes = batches.flat()
    expect(changes.filter((change) => change.startsWith('open')).toSorted()).toEqual([
      'open 30 2026-02-14',
      'open 8 2026-02-14',
    ])
    expect(changes.filter((change) => change.startsWith('settle'))).toHaveLength(2)
  })

  test('is taken over by no call after one that it was not made for', async () => {
    const { ledgers, prepaid, reserved, batches } = await started()
    prepaid.draw(5, of('app', 'team/getStats'))
    prepaid.draw(5, of('app'))
    prepaid.end()
    await ledgers.books.written
    expect(reserved()).toBe(10)
    expect(batches[1]).toEqual(['open 5 2026-02-14', 'open 5 2026-02-14', 'settle 30 2026-02-14'])
  })

  test('of the last month is given back there, and its calls count in the new one', async () => {
    now = Date.parse('2026-02-28T23:59:59.900Z')
    const { ledgers, prepaid, reserved, batches } = await started()
    now = Date.parse('2026-03-01T00:00:00.100Z')
    for (const tokens of [12, 8]) prepaid.draw(tokens, of('app'))
    prepaid.end()
    expect(reserved()).toBe(20)
    await ledgers.books.written
    expect(batches[1]).toEqual(['open 12 2026-03-01', 'open 8 2026-03-01', 'settle 30 2026-02-28'])
    now = Date.parse('2026-02-28T23:59:59.900Z')
    expect(reserved()).toBe(0)
    now = Date.parse('2026-02-14T12:00:00Z')
  })

  test('stays with its first call if that call is refused one of its own, and no other one draws on it', () => {
    const settled: string[] = []
    const booked: Booked = {
      tokens: 30,
      written: undefined,
      book: (tokens) => void settled.push(`book ${tokens}`),
      settle: ({ tokens }) => void settled.push(`settle ${tokens}`),
    }
    const prepaid = new Prepaid(booked, of('app'), { isOwn: () => true, cover: () => null })
    const first = prepaid.draw(12, of('app'))
    expect(prepaid.draw(8, of('app'))).toBeNull()
    prepaid.end()
    expect(settled).toEqual([])
    first?.book(11)
    first?.settle({ tokens: 11, bytes: 1, estimated: false })
    expect(settled).toEqual(['book 11', 'settle 11'])
  })
})
