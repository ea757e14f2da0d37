import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { noClientBudgets } from '../../../src/money/client-budgets.ts'
import { OutboxFile } from '../../../src/money/files/outbox.ts'
import { RedisAwayError } from '../../../src/store/redis/connection.ts'
import { RedisLedger } from '../../../src/store/ledger/redis-ledger.ts'
import { sampleNow } from '../../sample.setup.ts'
import { writeCall } from './one-call.ts'
import { endedSoon, twoBeats } from './quick-times.ts'
import { hasRedis, startRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'
import { connectionOver } from '../redis/way.ts'
import { patience } from '../../patience.ts'

const seen = 'statline:1:ledger:seen'

describe.skipIf(!hasRedis)(`bills that another process left${withoutRedis}`, () => {
  let redis: RedisServer
  let folder: string
  const open: { close(): Promise<void> }[] = []
  const warnings: string[] = []
  const failures: unknown[] = []

  beforeEach(async () => {
    redis = await startRedis()
    folder = mkdtempSync(join(tmpdir(), 'left-batches-'))
  })
  afterEach(async () => {
    expect(failures).toEqual([])
    warnings.length = 0
    for (const one of open.splice(0)) await one.close()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function started() {
    const connection = connectionOver(redis)
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
      times: endedSoon,
    })
    open.push(connection, ledger)
    await ledger.ready(30_000)
    return { ledger, outbox, connection, kill: () => connection.close() }
  }

  const tokensIn = async (ledger: RedisLedger) =>
    (await ledger.spending('2026-02-14', '2026-02-14')).reduce((sum, { tokens }) => sum + tokens, 0)

  /**
   * A process that is killed while Redis is away: Redis comes back with the first of its calls, has lost the
   * second, and the outbox has the third and the fourth.
   */
  async function killed(): Promise<string> {
    const { ledger, outbox, kill } = await started()
    await writeCall(ledger, 'first')
    await redis.send('SAVE')
    await writeCall(ledger, 'second')
    await redis.kill()
    await writeCall(ledger, 'third')
    await writeCall(ledger, 'fourth')
    await kill()
    await redis.start()
    return outbox.first(new Set())?.process ?? ''
  }

  test('are sent after its end, once, though Redis has lost what came before them', async () => {
    const process = await killed()
    // Until it has been looked at, it counts as running.
    await redis.send('ZADD', seen, String(Date.now() + 600_000), process)
    const { ledger, outbox } = await started()
    expect(await tokensIn(ledger)).toBe(5)
    expect(ledger.trouble).toBe('Bills that another process left in DATA_DIR are not sent yet.')
    await redis.send('ZADD', seen, '1', process)
    await vi.waitFor(() => expect(outbox.isEmpty).toBe(true), patience)
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
    await pause(twoBeats)
    expect(ledger.trouble).not.toBe(null)
    expect(await tokensIn(ledger)).toBe(5)
    await redis.send('ZADD', seen, '1', process)
    await vi.waitFor(() => expect(outbox.isEmpty).toBe(true), patience)
    expect(await tokensIn(ledger)).toBe(15)
  })

  test('are sent too where it left them when others had long been running', async () => {
    const [first, other] = [await started(), await started()]
    await writeCall(first.ledger, 'first')
    await first.kill()
    await writeCall(first.ledger, 'second')
    expect(other.outbox.isEmpty).toBe(false)
    await vi.waitFor(() => expect(other.outbox.isEmpty).toBe(true), patience)
    expect(await tokensIn(other.ledger)).toBe(10)
    expect([other.ledger.trouble, warnings]).toEqual([null, []])
  })
  test('are counted once where that process was only cut off', async () => {
    const [cut, other] = [await started(), await started()]
    await writeCall(cut.ledger, 'first')
    const run = vi.spyOn(cut.connection, 'run').mockRejectedValue(new RedisAwayError('cut off'))
    await writeCall(cut.ledger, 'second')
    await vi.waitFor(async () => expect(await tokensIn(other.ledger)).toBe(10), patience)
    run.mockRestore()
    await vi.waitFor(() => expect(cut.ledger.isVolatile).toBe(false), patience)
    await writeCall(cut.ledger, 'third')
    await vi.waitFor(async () => expect(await tokensIn(other.ledger)).toBe(15), patience)
    expect(cut.outbox.isEmpty).toBe(true)
  })
})
