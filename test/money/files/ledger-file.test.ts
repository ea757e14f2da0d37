import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Books } from '../../../src/money/books.ts'
import { LEDGER_FILE } from '../../../src/money/files/ledger-database.ts'
import { LedgerFile } from '../../../src/money/files/ledger-file.ts'
import type { LedgerStore, Spending } from '../../../src/money/ledger-store.ts'
import { MemoryLedger } from '../../../src/money/ledger-memory.ts'
import { NoLedgerError, readLedger } from '../../../src/money/files/read-ledger.ts'
import { split } from '../../../src/money/split.ts'
import { heldFile } from './other-program.ts'
import { patience } from '../../patience.ts'

const start = Date.parse('2026-02-14T12:00:00Z')
let now = start
let folder: string
const open: LedgerStore[] = []

beforeEach(() => {
  now = start
  folder = mkdtempSync(join(tmpdir(), 'ledger-'))
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Milliseconds to wait for another process. In these tests it keeps the file locked. */
const waits = { busyMs: 400, shortWaitMs: 5 }

/** Opens the file once more, as a process that starts does. */
function opened(): LedgerFile {
  const file = new LedgerFile(folder, now, waits)
  open.push(file)
  return file
}

const booksOf = (store: LedgerStore) => new Books(() => now, { store })
const user = (client: string, operation: string, rows = 1) => ({ client, operation, rows })
const read = (...users: ReturnType<typeof user>[]) => ({
  service: 'team/read',
  users: [users[0] ?? user('web', 'Teams'), ...users.slice(1)] as const,
  calls: 1,
})
const bill = (tokens: number, estimated = false) => ({ tokens, bytes: tokens * 1000, estimated })

const all = (store: LedgerStore) => store.spending('2000-01-01', '2100-01-01')
const told = (spending: readonly Spending[]) =>
  spending
    .map(({ client, operation, tokens, estimated, calls }) => [client, operation, tokens, estimated, calls])
    .toSorted()

describe.each([
  ['a file', () => opened()],
  ['memory', () => new MemoryLedger()],
])('a ledger in %s', (_what, create: () => LedgerStore) => {
  test('sums by day, key, client, GraphQL operation and service operation', async () => {
    const store = create()
    const books = booksOf(store)
    for (const client of ['web', 'web', 'app'])
      books.open('key', 5, read(user(client, 'Teams'))).settle(bill(3))
    now += 86_400_000
    books.open('key', 5, read(user('web', 'Teams'))).settle(bill(2, true))
    await books.written
    const cause = { hour: '12', key: 'key', operation: 'Teams', service: 'team/read' }
    expect(await all(store)).toEqual([
      ...(store.isDurable
        ? [{ ...cause, day: '2026-02-14', client: 'app', tokens: 3, estimated: 0, bytes: 3000, calls: 1 }]
        : []),
      { ...cause, day: '2026-02-14', client: 'web', tokens: 6, estimated: 0, bytes: 6000, calls: 2 },
      ...(store.isDurable
        ? []
        : [{ ...cause, day: '2026-02-14', client: 'app', tokens: 3, estimated: 0, bytes: 3000, calls: 1 }]),
      { ...cause, day: '2026-02-15', client: 'web', tokens: 2, estimated: 2, bytes: 2000, calls: 1 },
    ])
    expect(await store.spending('2026-02-15', '2026-02-28')).toHaveLength(1)
  })

  test('splits a bill by the rows of those who need them', async () => {
    const store = create()
    const books = booksOf(store)
    books.open('key', 9, read(user('web', 'A', 1), user('app', 'B', 2))).settle(bill(10))
    await books.written
    expect(told(await all(store))).toEqual([
      ['app', 'B', 7, 0, 0],
      ['web', 'A', 3, 0, 1],
    ])
  })

  test('does not keep calls that cost nothing', async () => {
    const store = create()
    const books = booksOf(store)
    books.open('made up', 5, read()).settle(bill(0))
    await books.written
    expect(await all(store)).toEqual([])
  })

  test('keeps the names of clients apart as far as there are not too many', async () => {
    const store = create()
    const books = booksOf(store)
    for (let nth = 0; nth < 1_500; nth += 1)
      books.open('key', 1, read(user(`client ${nth}`, 'A'))).settle(bill(1))
    await books.written
    const kept = await all(store)
    expect(kept).toHaveLength(1_001)
    expect(kept.find(({ client }) => client === 'other')).toMatchObject({ tokens: 500, operation: 'other' })
  })
})

describe('a ledger in a file', () => {
  test('keeps hours apart for two months, and their sums for longer', async () => {
    const before = booksOf(opened())
    for (let hour = 0; hour < 3; hour += 1) {
      before.open('key', 5, read(user('web', 'A'))).settle(bill(3))
      now += 3_600_000
    }
    await before.written
    expect((await all(opened())).map(({ hour, tokens }) => [hour, tokens])).toEqual([
      ['12', 3],
      ['13', 3],
      ['14', 3],
    ])
    now += 70 * 86_400_000
    before.open('key', 5, read(user('web', 'A'))).settle(bill(2))
    await before.written
    expect((await all(opened())).map(({ hour, tokens, calls }) => [hour, tokens, calls])).toEqual([
      ['', 9, 3],
      ['15', 2, 1],
    ])
  })

  test.each([61, 70, 800])(
    'keeps everything if the clock is %d days ahead at a start, and is then set back',
    async (days) => {
      const before = booksOf(opened())
      before.open('key', 5, read(user('web', 'A'))).settle(bill(3))
      await before.close()
      now += days * 86_400_000
      await opened().close()
      now = start
      expect((await all(opened())).map(({ day, hour, tokens }) => [day, hour, tokens])).toEqual([
        ['2026-02-14', '12', 3],
      ])
    },
  )

  test('takes over a file of days without hours', async () => {
    const database = new LibsqlDatabase(join(folder, LEDGER_FILE))
    const columns =
      'day text not null, key text not null, client text not null, operation text not null, service text not null, ' +
      'tokens real not null, estimated real not null, bytes integer not null, calls integer not null'
    database.exec(
      `create table spending (${columns}, primary key (day, key, client, operation, service)) without rowid`,
    )
    database.exec(`create table opened (id text primary key, ${columns}) without rowid`)
    database.exec(`insert into spending values ('2026-02-13', 'key', 'web', 'A', 'team/read', 4, 0, 9, 1)`)
    database.exec(`insert into opened values ('1', '2026-02-13', 'key', 'app', 'B', 'team/read', 2, 2, 0, 1)`)
    expect(readLedger(folder, '2026-02-01', '2026-02-28')).toMatchObject([
      { hour: '', client: 'web', tokens: 4 },
    ])
    database.close()
    expect(told(await all(opened()))).toEqual([
      ['app', 'B', 2, 2, 1],
      ['web', 'A', 4, 0, 1],
    ])
  })

  test('books what was left open as estimated when it is opened again', async () => {
    const before = booksOf(opened())
    before.open('key', 5, read(user('web', 'A'))).settle(bill(3))
    await before.open('key', 7, read(user('app', 'B'))).written
    expect(told(await all(opened()))).toEqual([
      ['app', 'B', 7, 7, 1],
      ['web', 'A', 3, 0, 1],
    ])
    expect(told(await all(opened()))).toHaveLength(2)
  })

  test('counts nothing twice where a call ends after another process has booked it', async () => {
    const first = opened()
    const books = booksOf(first)
    const booking = books.open('key', 7, read(user('web', 'A')))
    await booking.written
    expect(told(await all(opened()))).toEqual([['web', 'A', 7, 7, 1]])
    booking.settle(bill(3))
    await books.written
    expect(told(await all(first))).toEqual([['web', 'A', 3, 0, 1]])
  })

  test('has the bills of two processes that write side by side, each once', async () => {
    const both = [booksOf(opened()), booksOf(opened())]
    let tokens = 0
    for (let nth = 0; nth < 200; nth += 1) {
      const [one, other] = nth % 2 === 0 ? both : both.toReversed()
      const bookings = [one, other].map((books) => books?.open('key', 3, read(user('web', 'A'))))
      await Promise.all(bookings.map((booking) => booking?.written))
      // One of them starts anew during the calls of the other.
      if (nth === 100) opened()
      for (const booking of bookings) booking?.settle(bill(1 + (nth % 5)))
      tokens += 2 * (1 + (nth % 5))
    }
    await Promise.all(both.map((books) => books.written))
    expect(told(await all(opened()))).toEqual([['web', 'A', tokens, 0, 400]])
  })

  test('names keys by a secret that stays, and never holds a key', async () => {
    const key = 'a-key-that-nobody-may-read'
    const [first, second] = [opened(), opened()]
    expect(first.nameOf(key)).toBe(second.nameOf(key))
    expect(first.nameOf(key)).not.toBe(new MemoryLedger().nameOf(key))
    const books = booksOf(first)
    books.open(first.nameOf(key), 1, read()).settle(bill(1))
    await books.written
    expect(JSON.stringify(await all(first))).not.toContain(key)
  })

  test('drops days that are more than a year old', async () => {
    const books = booksOf(opened())
    books.open('key', 1, read()).settle(bill(1))
    await books.written
    now += 399 * 86_400_000
    expect(await all(opened())).toHaveLength(1)
    now += 2 * 86_400_000
    books.open('key', 1, read()).settle(bill(2))
    await books.written
    expect((await all(opened())).map(({ tokens }) => tokens)).toEqual([2])
  })

  test('cannot be opened where the folder is a file', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(() => new LedgerFile(file, now)).toThrow()
  })

  test.each(['file', 'folder'])(
    'that is deleted with its %s while it is open is written again, with all that it had',
    async (what) => {
      const books = booksOf(opened())
      const spend = async (tokens: number) => {
        const booking = books.open('key', tokens, read())
        await booking.written
        booking.settle(bill(tokens))
        await books.written
      }
      await spend(3)
      const pending = books.open('key', 5, read())
      await pending.written
      rmSync(what === 'folder' ? folder : join(folder, LEDGER_FILE), { recursive: true })
      await expect
        .poll(async () => {
          await spend(1)
          return existsSync(join(folder, LEDGER_FILE))
        })
        .toBe(true)
      pending.settle(bill(5))
      await books.written
      const [row] = await all(opened())
      expect(row).toMatchObject({ tokens: 8 + (row?.calls ?? 0) - 2, estimated: 0 })
      expect(books.isFailing).toBe(false)
    },
  )

  test('that is locked at the start goes on with the month, and gets what was spent meanwhile', async () => {
    const before = booksOf(opened())
    before.open('key', 3, read()).settle(bill(3))
    await before.written
    const pending = before.open('key', 4, read())
    await pending.written
    const other = new LibsqlDatabase(join(folder, LEDGER_FILE))
    other.exec('begin immediate')

    const late = opened()
    expect(late.fault).toMatchObject({ code: 'SQLITE_BUSY' })
    expect(late.isVolatile).toBe(true)
    expect((await all(late)).map(({ tokens }) => tokens)).toEqual([3, 4])
    const books = booksOf(late)
    books.open('key', 2, read()).settle(bill(2))
    await books.written
    expect(books.isFailing).toBe(true)

    other.exec('rollback')
    other.close()
    await books.close()
    expect(late.isVolatile).toBe(false)
    expect(told(await all(opened()))).toEqual([['web', 'Teams', 9, 4, 3]])
  })

  test.each(['before', 'after'])(
    'that is locked %s its start is reported with all that was spent, and one query waits',
    async (when) => {
      const before = booksOf(opened())
      before.open('key', 3, read()).settle(bill(3))
      await before.written
      const other = new LibsqlDatabase(join(folder, LEDGER_FILE))
      if (when === 'before') other.exec('begin immediate')
      const books = booksOf(opened())
      if (when === 'after') other.exec('begin immediate')
      /** Milliseconds that a query waits for what it spends. */
      const spend = async () => {
        const began = Date.now()
        books.open('key', 2, read()).settle(bill(2))
        await books.written
        return Date.now() - began
      }
      vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      await spend()
      const later: number[] = []
      for (let nth = 0; nth < 3; nth += 1) {
        vi.advanceTimersByTime(1_000)
        later.push(await spend())
      }
      expect(Math.min(...later)).toBeLessThan(waits.busyMs)
      const rows = await books.spending('2026-02-14', '2026-02-14')
      expect(rows.map(({ tokens }) => tokens)).toEqual([3, 8])
      other.close()
      vi.advanceTimersByTime(1_000)
      await spend()
      expect(told(await all(opened()))).toEqual([['web', 'Teams', 13, 0, 6]])
    },
  )

  test('that is locked at the start is read again each time, only the days that are asked for', async () => {
    await booksOf(opened()).open('key', 3, read()).written
    const other = new LibsqlDatabase(join(folder, LEDGER_FILE))
    other.exec('begin immediate')
    const late = opened()
    expect((await all(late)).map(({ tokens }) => tokens)).toEqual([3])
    other.exec(`insert into spending values ('2026-02-15', '12', 'k', 'web', 'Q', 'team/read', 6, 0, 1, 1)`)
    other.exec('commit')
    other.close()
    expect(late.isVolatile).toBe(true)
    expect((await all(late)).map(({ tokens }) => tokens)).toEqual([6, 3])
    expect(await late.spending('2026-02-15', '2026-02-28')).toMatchObject([{ day: '2026-02-15', tokens: 6 }])
    rmSync(join(folder, LEDGER_FILE))
    await expect(all(late)).rejects.toThrow(NoLedgerError)
  })

  test('gets what waits when its process ends, also where another program has just locked it', async () => {
    const file = opened()
    const books = booksOf(file)
    const other = new LibsqlDatabase(join(folder, LEDGER_FILE))
    other.exec('begin immediate')
    books.open('key', 2, read()).settle(bill(2))
    await books.written
    const write = vi.spyOn(file, 'write')
    const closed = books.close()
    open.splice(open.indexOf(file), 1)
    await vi.waitFor(() => expect(write.mock.calls.length).toBeGreaterThan(1), patience)
    other.close()
    await closed
    expect(told(await all(opened()))).toEqual([['web', 'Teams', 2, 0, 1]])
  })

  test('that cannot be written at the start is read as it is, whatever its folder is called', async () => {
    const before = opened()
    const books = booksOf(before)
    books.open('key', 3, read()).settle(bill(3))
    await books.written
    const other = new LibsqlDatabase(join(folder, LEDGER_FILE))
    other.exec('pragma wal_checkpoint(truncate)')
    other.close()
    const named = join(folder, 'a folder? #1 100%')
    // SQLite cannot create its index beside the file.
    mkdirSync(join(named, `${LEDGER_FILE}-shm`), { recursive: true })
    copyFileSync(join(folder, LEDGER_FILE), join(named, LEDGER_FILE))
    const late = new LedgerFile(named, now)
    open.push(late)
    expect(late.fault).not.toBeNull()
    expect(late.nameOf('key')).toBe(before.nameOf('key'))
    expect((await all(late)).map(({ tokens }) => tokens)).toEqual([3])
    expect(readLedger(named, '2000-01-01', '2100-01-01')).toHaveLength(1)
  })

  test('that another program holds for itself at the start is read as it was last on the disk', async () => {
    const file = opened()
    const books = booksOf(file)
    books.open('key', 3, read()).settle(bill(3))
    await books.close()
    open.splice(open.indexOf(file), 1)
    // This process still holds its own file, until the garbage collector has closed it.
    const held = join(folder, 'held')
    mkdirSync(held)
    copyFileSync(join(folder, LEDGER_FILE), join(held, LEDGER_FILE))
    const spent = 'update spending set tokens = tokens + 100'
    const release = await heldFile(join(held, LEDGER_FILE), spent)
    onTestFinished(release)
    const late = new LedgerFile(held, now, waits)
    open.push(late)
    expect(late.fault).toMatchObject({ code: 'SQLITE_BUSY' })
    expect((await all(late)).map(({ tokens }) => tokens)).toEqual([3])
    await release()
    await booksOf(late).open('key', 1, read()).written
    expect((await all(late)).map(({ tokens }) => tokens)).toEqual([103])
  })

  test('that is damaged cannot be opened', () => {
    writeFileSync(join(folder, 'ledger.sqlite'), 'not a database'.repeat(100))
    expect(() => new LedgerFile(folder, now)).toThrow()
  })
})

describe('a store that cannot be written', () => {
  test('holds nobody up, is reported once, and gets all of it when it can', async () => {
    const store = new MemoryLedger()
    let isFull = true
    const broken: LedgerStore = {
      isDurable: true,
      nameOf: (key) => key,
      write(changes) {
        if (isFull) throw new Error('disk full')
        return store.write(changes)
      },
      spending: (from, to) => store.spending(from, to),
      close: async () => {},
    }
    let failures = 0
    const books = new Books(() => now, { store: broken, onFailure: () => void (failures += 1) })
    for (let nth = 0; nth < 3; nth += 1) {
      const booking = books.open('key', 1, read())
      await booking.written
      booking.settle(bill(1))
      await books.written
    }
    expect([failures, books.isFailing, await all(store)]).toEqual([1, true, []])
    isFull = false
    await books.close()
    expect((await all(store)).map(({ tokens, calls }) => [tokens, calls])).toEqual([[3, 3]])
    expect(books.isFailing).toBe(false)
  })

  /** A file whose writes fail as on a full disk. */
  function limited() {
    const file = opened()
    const sizes: number[] = []
    let isFull = false
    const store: LedgerStore = {
      isDurable: true,
      nameOf: (key) => file.nameOf(key),
      write(changes) {
        if (isFull) throw new Error('disk full')
        sizes.push(changes.length)
        return file.write(changes)
      },
      spending: (from, to) => file.spending(from, to),
      close: () => file.close(),
    }
    return { file, sizes, books: booksOf(store), setFull: (full: boolean) => void (isFull = full) }
  }

  test('gets what was held as soon as it can, also if nothing more is spent', async () => {
    const { file, books, setFull } = limited()
    setFull(true)
    const booking = books.open('key', 1, read())
    await booking.written
    booking.settle(bill(1))
    await books.written
    setFull(false)
    await vi.waitFor(async () => expect(await all(file)).toHaveLength(1), patience)
    expect(books.isFailing).toBe(false)
  })

  test('gets everything in one small write, however many calls there were', async () => {
    const { file, sizes, books, setFull } = limited()
    setFull(true)
    const calls = 60_000
    for (let nth = 0; nth < calls; nth += 1) {
      books.open('key', 2, read()).settle(bill(2))
      if (nth % 1_000 === 0) await books.written
    }
    await books.written
    setFull(false)
    await books.close()
    expect(sizes).toEqual([2])
    open.splice(open.indexOf(file), 1)
    expect(told(await all(opened()))).toEqual([['web', 'Teams', 2 * calls, 0, calls]])
  })

  test('gets each call once, whenever it began and ended', async () => {
    const { file, books, setFull } = limited()
    const call = async () => {
      const booking = books.open('key', 5, read())
      await booking.written
      return booking
    }
    const [before, beforeToo] = [await call(), await call()]
    setFull(true)
    const [meanwhile, pending, lost] = [await call(), await call(), await call()]
    meanwhile.settle(bill(1))
    before.settle(bill(10))
    await books.written
    expect(told(await all(file))).toEqual([])
    expect(told(await books.spending('2000-01-01', '2100-01-01'))).toEqual([['web', 'Teams', 11, 0, 2]])
    expect(await books.spending('2026-02-15', '2026-02-28')).toEqual([])
    beforeToo.settle(bill(100))
    setFull(false)
    await expect
      .poll(async () => {
        await books.written
        return told(await all(file))
      })
      .toEqual([['web', 'Teams', 111, 0, 3]])
    pending.settle(bill(1_000))
    await books.written
    expect(told(await books.spending('2000-01-01', '2100-01-01'))).toEqual([['web', 'Teams', 1_111, 0, 4]])
    // The process is killed during the last call.
    expect(told(await all(opened()))).toEqual([['web', 'Teams', 1_116, 5, 5]])
    lost.settle(bill(10_000))
    await books.close()
    open.splice(open.indexOf(file), 1)
    expect(told(await all(opened()))).toEqual([['web', 'Teams', 11_111, 0, 5]])
  })

  test('does not go through what waits with each call', async () => {
    const { books, setFull } = limited()
    setFull(true)
    /** Milliseconds of the processor that 200 more calls take. */
    const took = async () => {
      const began = process.cpuUsage()
      for (let nth = 0; nth < 200; nth += 1) {
        await books.open('key', 1, read()).written
        await books.written
      }
      return process.cpuUsage(began).user / 1_000
    }
    await took()
    const few = await took()
    const pending = Array.from({ length: 50_000 }, () => books.open('key', 1, read()))
    await books.written
    // Going through all of them would take more than a hundred times as long, each time; a collection of garbage does once.
    const many = Math.min(await took(), await took(), await took())
    expect(many).toBeLessThan(20 * few + 50)
    expect(pending).toHaveLength(50_000)
  })
})

test.each([
  [10, [1, 1, 1]],
  [7, [3, 2, 2, 9]],
  [0, [1, 2]],
  [12.5, [1, 1]],
  [1, [1, 1, 1, 1, 1]],
])('%d tokens are split by %j into parts of the same sum', (amount, weights) => {
  const parts = split(amount, weights)
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  for (const [at, part] of parts.entries())
    expect(Math.abs(part - (amount * (weights[at] ?? 0)) / sum)).toBeLessThan(1.5)
})
