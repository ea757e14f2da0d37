import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { numbersFrom } from '../../../bench/day/random.ts'
import { gatewayTo } from '../redis/redis-gateway.ts'
import type { RedisGateway } from '../redis/redis-gateway.ts'
import { hasRedis, withoutRedis } from '../redis/redis-server.ts'
import { allotted } from './allotted.ts'
import { smallInstances } from './small-instances.ts'
import type { SmallInstance } from './small-instances.ts'

/** Shorter than the time after which an instance spends its share. */
const longestOutage = 2_000

describe.skipIf(!hasRedis)(`instances that cannot reach Redis for seconds${withoutRedis}`, () => {
  test.for([
    { seed: 1, whose: 'the key’s', limits: { budget: 3_000 } },
    { seed: 2, whose: 'the key’s', limits: { budget: 3_000 } },
    { seed: 3, whose: 'a client’s', limits: { clientBudgets: new Map([['web', 3_000]]) } },
    { seed: 4, whose: 'a client’s', limits: { clientBudgets: new Map([['*', 3_000]]) } },
  ])(
    'spend $whose budget to its end and not a token more (seed $seed)',
    async ({ seed, limits }, context) => {
      const random = numbersFrom(seed)
      const { redis, started } = await smallInstances(context)
      const members: {
        readonly gateway: RedisGateway
        readonly instance: SmallInstance
        isBlocked: boolean
      }[] = []
      for (let nth = 0; nth < 3; nth += 1) {
        const gateway = await gatewayTo(redis.url)
        context.onTestFinished(() => gateway.close())
        const instance = await started({ ...limits, url: gateway.url, longestWaitMs: 50 })
        members.push({ gateway, instance, isBlocked: false })
      }
      for (const { instance } of members) await instance.calls(1)
      await allotted(redis, 3)

      let [granted, alone] = [3, 0]
      const under: Promise<unknown>[] = []
      for (const end = performance.now() + 10_000; performance.now() < end; await pause(20 * random())) {
        const member = members[Math.floor(3 * random())]
        if (!member) continue
        if (random() < 0.01 && !member.isBlocked) {
          member.isBlocked = true
          member.gateway.block()
          setTimeout(() => (member.gateway.unblock(), (member.isBlocked = false)), longestOutage * random())
        }
        const { isBlocked, instance } = member
        const call = instance.call().then((isGranted) => {
          if (!isGranted) return
          granted += 1
          if (isBlocked && member.isBlocked) alone += 1
        })
        under.push(call)
      }
      await Promise.all(under)
      expect(alone).toBeGreaterThan(0)
      expect(5 * granted).toBeLessThanOrEqual(3_000)
      await vi.waitFor(() => expect(members.every(({ isBlocked }) => !isBlocked)).toBe(true), 30_000)
      // Together again they spend what is left.
      const first = members[0]?.instance
      await vi.waitFor(async () => {
        if (await first?.call()) granted += 1
        expect(5 * granted).toBe(3_000)
      }, 60_000)
      for (const { instance } of members) expect(await instance.calls(2)).toBe(0)
      await vi.waitFor(async () => expect(await first?.recorded()).toBe(3_000), 30_000)
    },
  )
})
