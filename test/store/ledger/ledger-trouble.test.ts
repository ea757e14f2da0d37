import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { noClientBudgets } from '../../../src/money/client-budgets.ts'
import { openShared } from '../../../src/money/open-ledger.ts'
import { MemoryOutbox } from '../../../src/money/files/outbox.ts'
import { upstreamChecks } from '../../../src/server/upstream-checks.ts'
import { ledgerFault } from '../../../src/store/redis/faults.ts'
import { RedisLedger } from '../../../src/store/ledger/redis-ledger.ts'
import { startSample, teamsOfToday } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
import { sampleNow } from '../../sample.setup.ts'
import { hasRedis, startRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'
import { connectionOver } from '../redis/way.ts'
import { quickTimes } from './quick-times.ts'
import { patience } from '../../patience.ts'

test('what Redis objects to is told with its remedy; other errors are not Redis’', () => {
  expect(ledgerFault(new Error('ERR unknown command'))).toBe(
    'The shared ledger cannot be written. Redis refuses its commands (ERR). Meanwhile bills wait in this instance, which spends only its share of the budgets.',
  )
  expect(ledgerFault(new Error('ENOSPC: no space left on device'))).toBe(null)
  expect(ledgerFault(new Error('disk I/O error'))).toBe(null)
})

describe.skipIf(!hasRedis)(`a ledger in Redis that cannot be written${withoutRedis}`, () => {
  let redis: RedisServer
  let sample: Sample
  beforeAll(async () => {
    ;[redis, sample] = await Promise.all([startRedis(), startSample()])
  })
  afterAll(async () => {
    await redis.stop()
    await sample.close()
  })

  async function started(onFailure: (error: unknown) => void) {
    const connection = connectionOver(redis)
    const ledger = new RedisLedger({
      redis: connection,
      outbox: new MemoryOutbox(),
      clock: () => sampleNow,
      budget: null,
      clientBudgets: noClientBudgets,
      leaseMs: 60_000,
      times: quickTimes,
      onFailure,
    })
    await ledger.ready(30_000)
    return { connection, ledger }
  }

  test('is reported by the readiness check until it can be written, and no bill is lost', async () => {
    const failures: unknown[] = []
    const { connection, ledger } = await started((error) => void failures.push(error))
    const graph = sample.graph({ ledger: openShared(ledger, () => {}) })
    const checks = upstreamChecks(graph.upstream, 'sample-paid')
    const ledgerPart = () => checks.readiness.parts['ledger']
    expect(ledgerPart()).toEqual({ status: 'ok' })

    await redis.send('SET', 'statline:1:ledger:open', 'of another program')
    const [team] = await teamsOfToday(sample)
    const { errors, extensions } = await graph.query(`{ team(id: "${team}") { name } }`)
    expect([errors, graph.calls.take()]).toEqual([undefined, ['team/read 1']])
    expect(ledgerPart()).toMatchObject({ status: 'degraded', reason: ledgerFault(failures[0]) })
    expect(ledgerFault(failures[0])).toMatch(/has a value that is not Statline’s. Rename or delete it/)
    expect(checks.readiness.status).toBe('degraded')
    expect(connection.isUp).toBe(true)
    expect(failures).toHaveLength(1)

    await redis.send('DEL', 'statline:1:ledger:open')
    await vi.waitFor(() => expect(ledgerPart()).toEqual({ status: 'ok' }), patience)
    const key = (await redis.send('KEYS', 'statline:1:ledger:sums:*:key:*')) as string[]
    expect(await redis.send('HGET', key[0] ?? '', 'tokens')).toBe(String(extensions.usage.tokens))
    await graph.upstream.ledgers.books.close()
    await connection.close()
  })

  test('a Redis that no longer accepts writes is noticed within seconds, also if nobody asks for anything', async () => {
    const { connection, ledger } = await started(() => {})
    await redis.send('CONFIG', 'SET', 'maxmemory', '1')
    await expect.poll(() => connection.reason).toBe('Redis does not accept writes (OOM).')
    await redis.send('CONFIG', 'SET', 'maxmemory', '0')
    expect(await connection.ready(30_000)).toBe(true)
    await ledger.close()
    await connection.close()
  })
})
