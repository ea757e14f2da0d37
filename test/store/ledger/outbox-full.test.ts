import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { noClientBudgets } from '../../../src/money/client-budgets.ts'
import { Ledgers } from '../../../src/money/ledgers.ts'
import { OutboxFile } from '../../../src/money/files/outbox.ts'
import type { Batch } from '../../../src/money/files/outbox.ts'
import type { OwnedSums } from '../../../src/money/shared-ledger.ts'
import { RedisLedger } from '../../../src/store/ledger/redis-ledger.ts'
import { sampleNow } from '../../sample.setup.ts'
import { redisForAll } from '../redis-for-all.ts'
import { writeCall } from './one-call.ts'
import { endedSoon, twoBeats } from './quick-times.ts'
import { hasRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'
import { connectionOver } from '../redis/way.ts'
import { patience } from '../../patience.ts'

/** A file on a disk that can be full. Then it can be read, and not be written. */
class OnDisk extends OutboxFile {
  isFull = false

  #write(): void {
    if (this.isFull) throw new Error('database or disk is full')
  }

  override put(batch: Batch): void {
    this.#write()
    super.put(batch)
  }

  override remove(batch: Batch): void {
    this.#write()
    super.remove(batch)
  }

  override setNote(name: string, value: string): void {
    this.#write()
    super.setNote(name, value)
  }

  override setSums(sums: readonly OwnedSums[]): void {
    this.#write()
    super.setSums(sums)
  }
}

describe.skipIf(!hasRedis)(`where the disk is full while Redis is away${withoutRedis}`, () => {
  let redis: RedisServer
  let folder: string
  const open = redisForAll((started) => (redis = started))
  const failures: unknown[] = []

  beforeEach(async () => {
    await redis.send('FLUSHALL')
    folder = mkdtempSync(join(tmpdir(), 'outbox-full-'))
    open.push({ close: () => rmSync(folder, { recursive: true, force: true }) })
  })
  afterEach(() => {
    redis.thaw()
    failures.splice(0)
  })

  async function started(at = folder, isFull = false) {
    const connection = connectionOver(redis)
    const disk = new OnDisk(at)
    disk.isFull = isFull
    const ledger = new RedisLedger({
      redis: connection,
      outbox: disk,
      clock: () => sampleNow,
      budget: null,
      clientBudgets: noClientBudgets,
      leaseMs: 60_000,
      onFailure: (error) => void failures.push(error),
      times: endedSoon,
    })
    await ledger.ready(redis.isUp ? 30_000 : 0)
    const ledgers = new Ledgers(null, () => sampleNow, { store: ledger, shared: ledger })
    open.unshift(connection, ledger)
    return { ledger, disk, ledgers, kill: () => connection.close() }
  }

  const tokensIn = async (ledger: RedisLedger) =>
    (await ledger.spending('2026-02-14', '2026-02-14')).reduce((sum, { tokens }) => sum + tokens, 0)
  const waitingIn = (disk: OutboxFile) => [...disk.waiting()].map(({ number }) => number)

  test('bills wait in memory, and are written with the next one once there is room', async () => {
    const { ledger, disk, kill } = await started()
    await writeCall(ledger, 'first')
    redis.freeze()
    await writeCall(ledger, 'second')
    disk.isFull = true
    const began = performance.now()
    await writeCall(ledger, 'third')
    await writeCall(ledger, 'fourth')
    const tookMs = performance.now() - began
    expect([ledger.isVolatile, waitingIn(disk)]).toEqual([true, [2]])
    disk.isFull = false
    // After an attempt that failed, none is made for ten times as long as it took.
    await pause(10 * tookMs + 1)
    await writeCall(ledger, 'fifth')
    expect([ledger.isVolatile, waitingIn(disk)]).toEqual([false, [2, 3, 4, 5]])
    await kill()
    redis.thaw()
    const next = await started()
    expect(await tokensIn(next.ledger)).toBe(25)
    expect([next.disk.isEmpty, failures.length]).toEqual([true, 1])
  })

  test('bills that wait in memory are written with a heartbeat once there is room', async () => {
    const { ledger, disk } = await started()
    redis.freeze()
    disk.isFull = true
    await writeCall(ledger, 'first')
    expect(ledger.isVolatile).toBe(true)
    disk.isFull = false
    await vi.waitFor(() => expect(ledger.isVolatile).toBe(false), patience)
    expect(waitingIn(disk)).toEqual([1])
    redis.thaw()
    await vi.waitFor(async () => expect(await tokensIn(ledger)).toBe(5), patience)
  })

  test('the secret for names of keys is noted once there is room', async () => {
    const { ledger, disk } = await started(folder, true)
    expect(disk.note('secret')).toBe(undefined)
    disk.isFull = false
    await vi.waitFor(() => expect(disk.note('secret')).toBeTruthy(), patience)
    expect((await started()).ledger.nameOf('key')).toBe(ledger.nameOf('key'))
  })

  test('an instance uses Redis as soon as it is back, and counts each bill once', async () => {
    const other = await started(join(folder, 'other'))
    await writeCall(other.ledger, 'of another instance')
    const { ledger, ledgers, disk, kill } = await started()
    await writeCall(ledger, 'first')
    redis.freeze()
    await writeCall(ledger, 'second')
    await writeCall(ledger, 'third')
    disk.isFull = true
    await writeCall(ledger, 'fourth')
    redis.thaw()
    await vi.waitFor(async () => expect(await tokensIn(ledger)).toBe(25), patience)
    await vi.waitFor(async () => expect(await writeCall(ledger, 'at once')).toBe(true), patience)
    const calls = (await tokensIn(ledger)) / 5
    expect([ledger.isVolatile, ledger.trouble, disk.isEmpty]).toEqual([false, null, false])
    // A heartbeat would send them again.
    await pause(twoBeats)
    expect(await tokensIn(ledger)).toBe(5 * calls)
    // These are what others have spent: what was written here did not go through them.
    await ledger.refresh(ledger.nameOf('key'))
    expect(ledgers.totals().tokens).toBe(5)
    expect(failures).toHaveLength(1)
    disk.isFull = false
    await vi.waitFor(() => expect(disk.isEmpty).toBe(true), patience)
    await kill()
    expect(await tokensIn((await started()).ledger)).toBe(5 * calls)
  })

  test('bills that were sent, and could not be deleted, are not booked again after a restart', async () => {
    const { ledger, disk, kill } = await started()
    await writeCall(ledger, 'first')
    redis.freeze()
    await writeCall(ledger, 'second')
    disk.isFull = true
    redis.thaw()
    await vi.waitFor(async () => expect(await tokensIn(ledger)).toBe(10), patience)
    await kill()
    const next = await started()
    await vi.waitFor(() => expect(next.disk.isEmpty).toBe(true), patience)
    expect(await tokensIn(next.ledger)).toBe(10)
    // What was spent before the restart counts towards the budgets, once.
    expect(next.ledgers.totals().tokens).toBe(10)
  })
})
