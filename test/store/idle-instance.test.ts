import { describe, expect, test, vi } from 'vitest'
import type { TestContext } from 'vitest'
import { noBill } from '../../src/money/bill.ts'
import { isRefusal } from '../../src/money/booked.ts'
import { noClientBudgets } from '../../src/money/client-budgets.ts'
import type { ClientBudgets } from '../../src/money/client-budgets.ts'
import { Ledgers } from '../../src/money/ledgers.ts'
import { openShared } from '../../src/money/open-ledger.ts'
import { MemoryOutbox } from '../../src/money/outbox.ts'
import { RedisConnection } from '../../src/store/redis.ts'
import { RedisLedger } from '../../src/store/redis-ledger.ts'
import { sampleNow } from '../sample.setup.ts'
import { hasRedis, startRedis, withoutRedis } from './redis-server.ts'

interface Limits {
  readonly budget?: number
  readonly clientBudgets?: ClientBudgets
}

const web = { service: 'team/read', users: [{ client: 'web', operation: 'Q', rows: 1 }], calls: 1 } as const

/** A Redis, its instances, and their clock. Both budgets are left with 5 of 100 tokens after 19 calls. */
async function world({ onTestFinished }: TestContext, { budget, clientBudgets = noClientBudgets }: Limits) {
  const redis = await startRedis()
  const connections: RedisConnection[] = []
  const failures: unknown[] = []
  let now = sampleNow
  onTestFinished(async () => {
    for (const one of connections) await one.close()
    await redis.stop()
    expect(failures).toEqual([])
  })

  return {
    redis,
    setClock: (text: string) => void (now = Date.parse(text)),
    async started(apiKey?: string) {
      const connection = new RedisConnection(redis.url, { longestWaitMs: 1_000 })
      connections.push(connection)
      const store = new RedisLedger({
        redis: connection,
        outbox: new MemoryOutbox(),
        clock: () => now,
        budget: budget ?? null,
        clientBudgets,
        leaseMs: 60_000,
        ...(apiKey !== undefined && { apiKey }),
        onFailure: (error) => void failures.push(error),
      })
      await store.ready(2_000)
      const opened = openShared(store, () => {})
      const ledgers = new Ledgers(budget ?? null, () => now, { clientBudgets, ...opened })
      const left = () =>
        ledgers.of(ledgers.nameOf('key')).remaining ?? ledgers.remainingOfClient(web.users[0].client)
      /** Makes a call of 5 tokens, if it is granted. Returns whether it was. */
      const call = async () => {
        const booked = ledgers.reserve(ledgers.nameOf('key'), 5, web)
        if (isRefusal(booked)) return false
        const refusal = (await booked.written) ?? null
        booked.settle(refusal ? noBill : { tokens: 5, bytes: 100, estimated: false })
        await ledgers.books.written
        return refusal === null
      }
      /** Makes so many calls. Returns how many were granted. */
      const calls = async (times: number) => {
        let granted = 0
        for (let nth = 0; nth < times; nth += 1) if (await call()) granted += 1
        return granted
      }
      return { ledgers, left, calls }
    },
  }
}

const limits = [
  { whose: 'the key’s', budget: 100 },
  { whose: 'a client’s', clientBudgets: new Map([['web', 100]]) },
]

describe.skipIf(!hasRedis)(`an instance that has spent nothing while others have${withoutRedis}`, () => {
  test.for(limits)(
    'knows at its start what they have left of $whose budget, and spends no more if Redis goes away',
    async (limit, context) => {
      const made = await world(context, limit)
      const busy = await made.started('key')
      expect(await busy.calls(19)).toBe(19)
      const idle = await made.started('key')
      expect(idle.left()).toBe(5)
      await made.redis.kill()
      expect(await idle.calls(4)).toBe(0)
    },
  )

  test.for(limits)(
    'knows in a new month what they have left of $whose budget, and spends no more if Redis goes away',
    async (limit, context) => {
      const made = await world(context, limit)
      // Clients bring their own keys.
      const [busy, idle] = [await made.started(), await made.started()]
      expect([await busy.calls(1), await idle.calls(1)]).toEqual([1, 1])
      made.setClock('2026-03-01T00:00:00Z')
      expect(await busy.calls(19)).toBe(19)
      await vi.waitFor(() => expect(idle.left()).toBe(5), 20_000)
      await made.redis.kill()
      expect(await idle.calls(4)).toBe(0)
    },
  )
})
