import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { noClientBudgets } from '../../src/money/client-budgets.ts'
import type { Change } from '../../src/money/ledger-store.ts'
import { OutboxFile } from '../../src/money/outbox.ts'
import { RedisAwayError, RedisConnection } from '../../src/store/redis.ts'
import { RedisLedger } from '../../src/store/redis-ledger.ts'
import { sampleNow } from '../sample.setup.ts'
import { hasRedis, startRedis, withoutRedis } from './redis-server.ts'
import type { RedisServer } from './redis-server.ts'

const seen = 'statline:1:ledger:seen'

describe.skipIf(!hasRedis)(`bills that another process left${withoutRedis}`, () => {
  let redis: RedisServer
  let folder: string
  const connections: RedisConnection[] = []
  const warnings: string[] = []
  const failures: unknown[] = []

  beforeEach(async () => {
    redis = await startRedis()
    folder = mkdtempSync(join(tmpdir(), 'left-batches-'))
  })
  afterEach(async () => {
    expect(failures).toEqual([])
    warnings.length = 0
    await Promise.all(connections.splice(0).map((one) => one.close()))
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function started(endedAfterMs = 500) {
    const connection = new RedisConnection(redis.url, { longestWaitMs: 1_000 })
    connections.push(connection)
    const outbox = new OutboxFile(folder)
    const ledger = new RedisLedger({
      redis: connection,
      outbox,
      clock: () => sampleNow,
      budget: null,
      clientBudgets: noClientBudgets,
      leaseMs: 60_000,
      onFailure: (error) => void failures.push(error),
      warn: (message) => void warnings.push(message),
      endedAfterMs,
    })
    await ledger.ready(5_000)
    return { ledger, outbox, connection, kill: () => connection.close() }
  }

  /** Writes a call and its bill of 5 tokens. */
  async function call(ledger: RedisLedger, id: string): Promise<void> {
    const spent = {
      client: 'web',
      operation: 'Q',
      service: 'team/read',
      day: '2026-02-14',
      hour: '20',
      key: ledger.nameOf('key'),
      tokens: 5,
      estimated: 0,
      bytes: 900,
      calls: 1,
    }
    const opened = { ...spent, id }
    const changes: readonly Change[] = [
      { kind: 'open', opened },
      { kind: 'settle', opened, spent: [spent] },
    ]
    await ledger.write(changes)
  }

  const tokensIn = async (ledger: RedisLedger) =>
    (await ledger.spending('2026-02-14', '2026-02-14')).reduce((sum, { tokens }) => sum + tokens, 0)

  /**
   * A process that is killed while Redis is away: Redis comes back with the first of its calls, has lost the
   * second, and the outbox has the third and the fourth.
   */
  async function killed(): Promise<string> {
    const { ledger, outbox, kill } = await started()
    await call(ledger, 'first')
    await redis.send('SAVE')
    await call(ledger, 'second')
    await redis.kill()
    await call(ledger, 'third')
    await call(ledger, 'fourth')
    await kill()
    await redis.start()
    return outbox.first(new Set())?.process ?? ''
  }

  test('are sent after its end, once, though Redis has lost what came before them', async () => {
    await killed()
    const { ledger, outbox } = await started()
    expect(await tokensIn(ledger)).toBe(5)
    expect(ledger.trouble).toBe('Bills that another process left in DATA_DIR are not sent yet.')
    await vi.waitFor(() => expect(outbox.isEmpty).toBe(true), 30_000)
    expect(ledger.trouble).toBe(null)
    expect(await tokensIn(ledger)).toBe(15)
    expect(warnings).toEqual([expect.stringMatching(/^Bills of an ended process were sent/)])
    const next = await started()
    expect(await tokensIn(next.ledger)).toBe(15)
  })

  test('stay its own to send while it runs', async () => {
    const process = await killed()
    await redis.send('ZADD', seen, String(Date.now() + 600_000), process)
    const { ledger, outbox } = await started()
    // Long enough for two heartbeats, which would send them.
    await new Promise((passed) => setTimeout(passed, 4_500))
    expect(ledger.trouble).not.toBe(null)
    expect(await tokensIn(ledger)).toBe(5)
    await redis.send('ZADD', seen, '1', process)
    await vi.waitFor(() => expect(outbox.isEmpty).toBe(true), 30_000)
    expect(await tokensIn(ledger)).toBe(15)
  })

  test('are sent too where it left them when others had long been running', async () => {
    const [first, other] = [await started(), await started()]
    await call(first.ledger, 'first')
    await first.kill()
    await call(first.ledger, 'second')
    expect(other.outbox.isEmpty).toBe(false)
    await vi.waitFor(() => expect(other.outbox.isEmpty).toBe(true), 30_000)
    expect(await tokensIn(other.ledger)).toBe(10)
    expect([other.ledger.trouble, warnings]).toEqual([null, []])
  })
  test('are counted once where that process was only cut off', async () => {
    const [cut, other] = [await started(), await started()]
    await call(cut.ledger, 'first')
    const run = vi.spyOn(cut.connection, 'run').mockRejectedValue(new RedisAwayError('cut off'))
    await call(cut.ledger, 'second')
    await vi.waitFor(async () => expect(await tokensIn(other.ledger)).toBe(10), 30_000)
    run.mockRestore()
    await vi.waitFor(() => expect(cut.ledger.isVolatile).toBe(false), 30_000)
    await call(cut.ledger, 'third')
    await vi.waitFor(async () => expect(await tokensIn(other.ledger)).toBe(15), 30_000)
    expect(cut.outbox.isEmpty).toBe(true)
  })
})
