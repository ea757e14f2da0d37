import { describe, expect, test, vi } from 'vitest'
import { hasRedis, withoutRedis } from '../redis/redis-server.ts'
import { smallInstances } from './small-instances.ts'
import { patience } from '../../patience.ts'

// Both budgets are left with 5 of 100 tokens after 19 calls.
const limits = [
  { whose: 'the key’s', budget: 100 },
  { whose: 'a client’s', clientBudgets: new Map([['web', 100]]) },
]

describe.skipIf(!hasRedis)(`an instance that has spent nothing while others have${withoutRedis}`, () => {
  test.for(limits)(
    'knows at its start what they have left of $whose budget, and spends no more if Redis goes away',
    async (limit, context) => {
      const { redis, started } = await smallInstances(context)
      const busy = await started({ ...limit, apiKey: 'key' })
      expect(await busy.calls(19)).toBe(19)
      const idle = await started({ ...limit, apiKey: 'key' })
      expect(idle.left()).toBe(5)
      await redis.kill()
      expect(await idle.calls(4)).toBe(0)
    },
  )

  test.for(limits)(
    'knows in a new month what they have left of $whose budget, and spends no more if Redis goes away',
    async (limit, context) => {
      const { redis, started, setClock } = await smallInstances(context)
      // Clients bring their own keys.
      const [busy, idle] = [await started(limit), await started(limit)]
      expect([await busy.calls(1), await idle.calls(1)]).toEqual([1, 1])
      setClock('2026-03-01T00:00:00Z')
      expect(await busy.calls(19)).toBe(19)
      await vi.waitFor(() => expect(idle.left()).toBe(5), patience)
      await redis.kill()
      expect(await idle.calls(4)).toBe(0)
    },
  )
})
