import { expect } from 'vitest'
import type { TestContext } from 'vitest'
import { noBill } from '../../../src/money/bill.ts'
import { isRefusal } from '../../../src/money/booked.ts'
import { noClientBudgets } from '../../../src/money/client-budgets.ts'
import type { ClientBudgets } from '../../../src/money/client-budgets.ts'
import { Ledgers } from '../../../src/money/ledgers.ts'
import { openShared } from '../../../src/money/open-ledger.ts'
import { MemoryOutbox } from '../../../src/money/files/outbox.ts'
import type { Outbox } from '../../../src/money/files/outbox.ts'
import type { LedgerTimes } from '../../../src/store/ledger/ledger-times.ts'
import { RedisLedger } from '../../../src/store/ledger/redis-ledger.ts'
import { sampleNow } from '../../sample.setup.ts'
import { startRedis } from '../redis/redis-server.ts'
import { connectionOver } from '../redis/way.ts'
import type { Way } from '../redis/way.ts'
import { heldPatience, quickTimes } from './quick-times.ts'

export interface Limits {
  readonly budget?: number
  readonly clientBudgets?: ClientBudgets
}

interface StartOptions extends Limits {
  readonly apiKey?: string
  readonly outbox?: Outbox
  readonly way?: Way
  readonly times?: LedgerTimes
  /** The secret for a Redis that has none. */
  readonly secret?: string | undefined
  /** Its clock, if it differs from that of the others. */
  readonly clock?: () => number
}

/** A Redis, instances that have a ledger alone, and their clock. They spend with one key, `key`. */
export async function smallInstances({ onTestFinished }: TestContext) {
  const redis = await startRedis()
  const closing: (() => Promise<void>)[] = []
  const { callLater, end: endPatience } = heldPatience()
  const failures: unknown[] = []
  let now = sampleNow
  onTestFinished(async () => {
    const told = [...failures]
    for (const close of closing) await close()
    await redis.stop()
    expect(told).toEqual([])
  })

  return {
    redis,
    /** All that are without Redis have waited long enough for it. */
    endPatience,
    setClock: (text: string) => void (now = Date.parse(text)),
    async started({
      budget,
      clientBudgets = noClientBudgets,
      apiKey,
      outbox = new MemoryOutbox(),
      way = redis,
      times = quickTimes,
      secret,
      clock = () => now,
    }: StartOptions = {}) {
      const connection = connectionOver(way, { secret })
      const store = new RedisLedger({
        redis: connection,
        outbox,
        clock,
        budget: budget ?? null,
        clientBudgets,
        leaseMs: 60_000,
        times,
        ...(apiKey !== undefined && { apiKey }),
        onFailure: (error) => void failures.push(error),
      })
      closing.push(async () => {
        await connection.close()
        await store.close()
      })
      await store.ready(redis.isUp ? 30_000 : 0)
      const opened = openShared(store, () => {})
      const ledgers = new Ledgers(budget ?? null, clock, { clientBudgets, callLater, ...opened })
      const left = (client = 'web') =>
        ledgers.of(ledgers.nameOf('key')).remaining ?? ledgers.remainingOfClient(client)
      /** Makes a call of 5 tokens for clients, if it is granted. Returns whether it was. */
      const call = async (client = 'web', ...others: readonly string[]) => {
        const users = [client, ...others].map((name) => ({ client: name, operation: 'Q', rows: 1 }))
        const [payer, ...rest] = users
        if (!payer) return false
        const booked = ledgers.reserve(ledgers.nameOf('key'), 5, {
          service: 'team/read',
          users: [payer, ...rest],
          calls: 1,
        })
        if (isRefusal(booked)) return false
        const refusal = (await booked.written) ?? null
        booked.settle(refusal ? noBill : { tokens: 5, bytes: 100, estimated: false })
        await ledgers.books.written
        return refusal === null
      }
      /** Makes so many calls. Returns how many were granted. */
      const calls = async (times: number, client?: string) => {
        let granted = 0
        for (let nth = 0; nth < times; nth += 1) if (await call(client)) granted += 1
        return granted
      }
      /** The tokens that Redis has of February. */
      const recorded = async () => {
        const rows = await store.spending('2026-02-01', '2026-02-28')
        return rows.reduce((sum, { tokens }) => sum + tokens, 0)
      }
      /** Asks Redis for the sums of the others. */
      const refresh = () => store.refresh(ledgers.nameOf('key'))
      /** Ends as a process does that is killed. */
      const kill = () => connection.close()
      return { ledgers, store, left, call, calls, recorded, refresh, kill }
    },
  }
}

/** An instance that has a ledger alone. */
export type SmallInstance = Awaited<ReturnType<Awaited<ReturnType<typeof smallInstances>>['started']>>
