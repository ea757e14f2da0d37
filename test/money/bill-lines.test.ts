import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bill } from '../../src/commands/bill.ts'
import { LedgerFile } from '../../src/money/files/ledger-file.ts'
import type { Spending } from '../../src/money/ledger-store.ts'
import { readLedger } from '../../src/money/files/read-ledger.ts'
import { adminListener } from '../../src/server/admin.ts'
import { listen } from '../../src/server/listen.ts'
import type { Listening } from '../../src/server/listen.ts'
import { ReadinessChecks } from '../../src/server/readiness-checks.ts'

const now = Date.parse('2026-02-14T12:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'bill-lines-'))
const cause = { client: 'web', operation: 'Teams', service: 'team/read', key: 'key' }
const spent = (day: string, sums: Partial<Spending>): Spending => ({
  ...cause,
  day,
  hour: '09',
  tokens: 0,
  estimated: 0,
  bytes: 0,
  calls: 0,
  ...sums,
})

let admin: Listening
beforeAll(async () => {
  const write = (file: LedgerFile, ...rows: Spending[]) =>
    rows.forEach((row, nth) => {
      const opened = { ...row, id: `${nth}` }
      file.write([
        { kind: 'open', opened },
        { kind: 'settle', opened, spent: [row] },
      ])
    })
  const file = new LedgerFile(folder, now)
  write(
    file,
    spent('2026-02-14', { tokens: 3, bytes: 30, calls: 1 }),
    spent('2026-02-14', { client: 'shares a call', bytes: 20 }),
    spent('2026-02-14', { client: 'costs nothing', calls: 1 }),
    spent('2026-02-14', { client: 'cancelled' }),
    spent('2025-12-01', { tokens: 7, bytes: 70, calls: 1 }),
  )
  await file.close()
  // A start joins the hours of days that are older than 62 days.
  const later = new LedgerFile(folder, now)
  admin = await listen(
    adminListener({
      registry: new Registry(),
      checks: new ReadinessChecks(),
      isOurHost: () => true,
      spending: (from, to) => later.spending(from, to),
      clock: () => now,
    }),
    '127.0.0.1',
    0,
  )
})
afterAll(async () => {
  await admin.close()
  rmSync(folder, { recursive: true, force: true })
})

let warned: string[]
async function run(...args: string[]): Promise<string> {
  warned = []
  const read = async (from: string, to: string) => readLedger(folder, from, to)
  return bill(args, { read, drift: () => [], warn: (text) => void warned.push(text) }, now)
}

test('the command and /usage have the same groups: all that had tokens, bytes or calls', async () => {
  const expected = [
    { client: 'web', tokens: 3, estimated: 0, calls: 1, bytes: 30 },
    { client: 'costs nothing', tokens: 0, estimated: 0, calls: 1, bytes: 0 },
    { client: 'shares a call', tokens: 0, estimated: 0, calls: 0, bytes: 20 },
  ]
  expect(JSON.parse(await run('--by', 'client', '--json'))).toEqual(expected)
  expect(await (await fetch(`${admin.url}/usage?by=client`)).json()).toEqual(expected)
  const csv = await (await fetch(`${admin.url}/usage?by=client&format=csv`)).text()
  expect(csv).toBe(`${await run('--by', 'client', '--csv')}\n`)
  expect(warned).toEqual([])
})

test('an hour of a day that is kept without hours is reported beside the bill, which stays parseable', async () => {
  const note = 'Hours of 2025-12-01 are no longer kept; ask for --day 2025-12-01.'
  expect(JSON.parse(await run('--hour', '2025-12-01T09', '--json'))).toEqual([])
  expect(warned).toEqual([note])
  expect(await run('--hour', '2025-12-01T09', '--csv', '--by', 'client')).toBe(
    'client,tokens,estimated,calls,bytes',
  )
  expect(warned).toEqual([note])
  await run('--hour', '2025-12-02T00', '--compare')
  expect(warned).toEqual([note])
  expect(JSON.parse(await run('--day', '2025-12-01', '--by', 'client', '--json'))).toEqual([
    { client: 'web', tokens: 7, estimated: 0, calls: 1, bytes: 70 },
  ])
  expect(warned).toEqual([])
})

test('a comparison has the calls and bytes of before too, which tell a dearer service from more calls', async () => {
  const rows = [
    spent('2026-02-13', { tokens: 3, bytes: 300, calls: 3 }),
    spent('2026-02-14', { tokens: 6, bytes: 300, calls: 3 }),
    spent('2026-02-13', { client: 'gone', bytes: 5, calls: 1 }),
  ]
  const asked = (...args: string[]) =>
    bill(
      ['--day', '2026-02-14', '--by', 'client', '--compare', ...args],
      {
        read: async (from, to) => rows.filter(({ day }) => day >= from && day <= to),
        drift: () => [],
      },
      now,
    )
  const before = { before: 3, callsBefore: 3, bytesBefore: 300 }
  expect(JSON.parse(await asked('--json'))).toEqual([
    { client: 'web', tokens: 6, ...before, estimated: 0, calls: 3, bytes: 300 },
    {
      client: 'gone',
      tokens: 0,
      before: 0,
      callsBefore: 1,
      bytesBefore: 5,
      estimated: 0,
      calls: 0,
      bytes: 0,
    },
  ])
  expect((await asked('--csv')).split('\n')).toEqual([
    'client,tokens,before,estimated,calls,callsBefore,bytes,bytesBefore',
    'web,6,3,0,3,3,300,300',
    'gone,0,0,0,0,1,0,5',
  ])
  expect((await asked()).split('\n').slice(2)).toEqual([
    expect.stringMatching(/^client +tokens +share +before +change +calls +calls before$/),
    expect.stringMatching(/^web +6 +100 % +3 +\+3 +3 +3 +█+$/),
    expect.stringMatching(/^gone +0 +0 % +0 +0 +0 +1$/),
    expect.stringMatching(/^total +6 +100 % +3 +\+3 +3 +4$/),
  ])
})

test('tokens that are estimated have a column in the table, if there are any', async () => {
  const rows = [
    spent('2026-02-14', { tokens: 6, estimated: 4, calls: 3 }),
    spent('2026-02-14', { client: 'known', tokens: 2, calls: 1 }),
  ]
  const sources = { read: async () => rows, drift: () => [] }
  const table = await bill(['--day', '2026-02-14', '--by', 'client'], sources, now)
  expect(table.split('\n').slice(2)).toEqual([
    expect.stringMatching(/^client +tokens +estimated +share +calls$/),
    expect.stringMatching(/^web +6 +4 +75 % +3 +█+$/),
    expect.stringMatching(/^known +2 +0 +25 % +1 +█+$/),
    expect.stringMatching(/^total +8 +4 +100 % +4$/),
  ])
})

test('/usage refuses such an hour, and says what to ask for', async () => {
  const response = await fetch(`${admin.url}/usage?hour=2025-12-01T09`)
  expect([response.status, await response.text()]).toEqual([
    410,
    'Hours of 2025-12-01 are no longer kept; ask for /usage?day=2025-12-01.\n',
  ])
  expect(await (await fetch(`${admin.url}/usage?hour=2026-02-14T10`)).json()).toEqual([])
})

test('days and hours are compared with the same ones of the period before', async () => {
  const rows = [
    spent('2026-01-02', { tokens: 1, hour: '08' }),
    spent('2026-01-31', { tokens: 2, hour: '' }),
    spent('2026-02-01', { tokens: 4, hour: '08' }),
    spent('2026-02-01', { tokens: 8, hour: '09' }),
    spent('2026-02-02', { tokens: 16, hour: '09' }),
    spent('2026-02-02', { tokens: 32, hour: '10' }),
  ]
  const asked = async (...args: string[]) => {
    const read = async (from: string, to: string) => rows.filter(({ day }) => day >= from && day <= to)
    const lines = await bill([...args, '--compare', '--csv'], { read, drift: () => [] }, now)
    return lines
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').slice(0, 3).join(' '))
  }
  expect(await asked('--month', '2026-02', '--by', 'day')).toEqual([
    '2026-01-31 0 2', // February has no such day
    '2026-02-01 12 0',
    '2026-02-02 48 1',
  ])
  expect(await asked('--day', '2026-02-02', '--by', 'hour')).toEqual([
    '2026-02-02T08 0 4',
    '2026-02-02T09 16 8',
    '2026-02-02T10 32 0',
  ])
  expect(await asked('--hour', '2026-02-02T10', '--by', 'hour')).toEqual(['2026-02-02T10 32 16'])
})
