import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noClientBudgets } from '../../src/money/client-budgets.ts'
import { LedgerFile } from '../../src/money/files/ledger-file.ts'
import type { Spending } from '../../src/money/ledger-store.ts'
import { OutboxFile } from '../../src/money/files/outbox.ts'
import { RedisConnection } from '../../src/store/redis/connection.ts'
import { RedisLedger } from '../../src/store/ledger/redis-ledger.ts'
import { hasRedis, startRedis, withoutRedis } from '../store/redis/redis-server.ts'
import type { RedisServer } from '../store/redis/redis-server.ts'

const root = join(import.meta.dirname, '../..')

/** Clients that ask side by side. */
const clients = 12

/**
 * A program that is killed repeatedly, over a service that keeps the true account. Every call costs one
 * token.
 */
interface Victim {
  readonly folder: string
  readonly env: () => Record<string, string>
  readonly service: Server
  readonly account: { tokens: number; calls: number }
  /** Tokens that clients were told of. */
  told: number
  child: ChildProcess | null
}

function victim(name: string, env: Victim['env']): Victim {
  const account = { tokens: 0, calls: 0 }
  const service = createServer((request, response) => {
    request.resume().on('end', () => {
      account.tokens += 1
      account.calls += 1
      setTimeout(() => response.writeHead(200, { 'x-request-usage': '1' }).end('{}'), 5)
    })
  })
  const folder = mkdtempSync(join(tmpdir(), `ledger-kill-${name}-`))
  return { folder, env, service, account, told: 0, child: null }
}

let redis: RedisServer | null = null
const onFile = victim('file', () => ({}))
const onRedis = victim('redis', () => ({ REDIS_URL: redis?.url ?? '' }))
const victims = hasRedis ? [onFile, onRedis] : [onFile]

/** Starts the program, and kills it under load. */
async function killOnce(one: Victim): Promise<void> {
  const url = await start(one)
  const loads = Array.from({ length: clients }, () => load(url, one))
  // Answers that share a call cost nothing, so the bill is what counts.
  const enough = one.told + 15 + Math.random() * 25
  while (one.told < enough) await wait(1)
  one.child?.kill('SIGKILL')
  await Promise.all(loads)
}

/** Starts the program; resolves with its address. */
async function start(one: Victim): Promise<string> {
  const { port } = one.service.address() as AddressInfo // on TCP
  const { PATH = '' } = process.env
  const env = {
    PATH,
    DATA_DIR: one.folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    UPSTREAM_URL: `http://127.0.0.1:${port}/v1`,
    UPSTREAM_API_KEY: 'k',
    ...one.env(),
  }
  const started = spawn(process.execPath, [join(root, 'dist/main.js')], { cwd: one.folder, env })
  one.child = started
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const [, url] = /The graph listens on (\S+)/.exec(output) ?? []
      if (url) resolve(url)
    }
    started.stdout.on('data', read)
    started.stderr.on('data', read)
    started.once('close', () => reject(new Error(output)))
  })
}

let asked = 0
const id = () => `00000000-0000-4000-8000-${String((asked += 1)).padStart(12, '0')}`

/** Asks for ever new rows until the server is gone. */
async function load(url: string, one: Victim): Promise<void> {
  for (;;) {
    try {
      const query = `query Load { team(id: "${id()}") { name } }`
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      const { extensions } = (await answer.json()) as { extensions: { usage: { tokens: number } } }
      one.told += extensions.usage.tokens
    } catch {
      return
    }
  }
}

async function readFile({ folder }: Victim): Promise<readonly Spending[]> {
  const ledger = new LedgerFile(folder, Date.now())
  const rows = await ledger.spending('2000-01-01', '2100-01-01')
  await ledger.close()
  return rows
}

/** Tokens of a month's bill as the command prints it. */
async function billed(month: string): Promise<number> {
  const { PATH = '' } = process.env
  const args = [join(root, 'dist/statline.js'), 'bill', '--month', month, '--by', 'client', '--json']
  const env = { PATH, DATA_DIR: onRedis.folder, REDIS_URL: redis?.url ?? '' }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: onRedis.folder, env })
  return (JSON.parse(stdout) as { tokens: number }[]).reduce((sum, { tokens }) => sum + tokens, 0)
}

/** The content of Redis after the next instance has started and the leases of the killed one are over. */
async function readRedis(): Promise<readonly Spending[]> {
  const connection = new RedisConnection(redis?.url ?? '', { longestWaitMs: 5_000 })
  const options = { budget: null, clientBudgets: noClientBudgets, leaseMs: 1_000, onFailure: () => {} }
  const ledger = new RedisLedger({
    redis: connection,
    outbox: new OutboxFile(onRedis.folder),
    clock: Date.now,
    ...options,
  })
  await ledger.ready(30_000)
  await ledger.bookLost(3_600_000)
  const today = new Date().toISOString().slice(0, 10)
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const rows = await ledger.spending(yesterday, today)
  await ledger.close()
  await connection.close()
  return rows
}

function expectWhole({ told, account }: Victim, rows: readonly Spending[], kills: number): void {
  const sum = (name: 'tokens' | 'estimated' | 'calls') => rows.reduce((all, row) => all + row[name], 0)
  expect(told).toBeGreaterThanOrEqual(kills * 15)
  expect(sum('tokens') - sum('estimated')).toBeGreaterThanOrEqual(told)
  expect(sum('tokens') - sum('estimated')).toBeLessThanOrEqual(account.tokens)
  expect(sum('tokens')).toBeGreaterThanOrEqual(account.tokens)
  // The ledger may exceed the service's account by at most the calls that were pending at each kill.
  expect(sum('tokens') - account.tokens).toBeLessThanOrEqual(kills * clients)
  expect(sum('calls')).toBeGreaterThanOrEqual(account.calls)
  expect(sum('calls') - account.calls).toBeLessThanOrEqual(kills * clients)
}

/** Kills a program with a ledger in a file, and one with a ledger in Redis, so many times each. */
export function describeKills(kills: number): void {
  beforeAll(async () => {
    if (hasRedis) redis = await startRedis()
    for (const { service } of victims)
      await new Promise<void>((listening) => void service.listen(0, '127.0.0.1', listening))
    for (let nth = 0; nth < kills; nth += 1) await Promise.all(victims.map(killOnce))
  })
  afterAll(async () => {
    for (const { child, service, folder } of victims) {
      child?.kill('SIGKILL')
      service.closeAllConnections()
      await new Promise((closed) => service.close(closed))
      rmSync(folder, { recursive: true, force: true })
    }
    await redis?.stop()
  })

  describe(`${kills} SIGKILLs under load lose no token and count none twice`, () => {
    test('of a ledger in a file', async () => expectWhole(onFile, await readFile(onFile), kills))
    test.skipIf(!hasRedis)(`of a ledger in Redis${withoutRedis}`, async () => {
      const rows = await readRedis()
      expectWhole(onRedis, rows, kills)
      // Two months, where the test runs as one ends.
      const months = [...new Set(rows.map(({ day }) => day.slice(0, 7)))]
      const bills = await Promise.all(months.map(billed))
      const sum = (all: number, tokens: number) => all + tokens
      expect(bills.reduce(sum)).toBe(rows.map(({ tokens }) => tokens).reduce(sum))
    })
  })
}
