import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { numbersFrom } from '../../../bench/day/random.ts'
import { gatewayTo } from '../redis/redis-gateway.ts'
import type { RedisGateway } from '../redis/redis-gateway.ts'
import { hasRedis, withoutRedis } from '../redis/redis-server.ts'
import { allotted } from './allotted.ts'
import { smallInstances } from './small-instances.ts'
import type { SmallInstance } from './small-instances.ts'
import { patience } from '../../patience.ts'

/** In these turns, calls are made and instances are cut off. Their patience with Redis does not end meanwhile. */
const turns = 1_000

/**
 * The longest outage, in turns, and in milliseconds where a busy machine makes turns long. Redis keeps for an instance
 * what is allotted to it for 14 seconds more. By then it has to be back: its patience, which would end before, does not.
 */
const [longestOutage, longestMs] = [200, 4_000]

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
        /** The turn, and the time, at which it reaches Redis again. */
        until: readonly [turn: number, time: number]
      }[] = []
      for (let nth = 0; nth < 3; nth += 1) {
        const gateway = await gatewayTo(redis.url)
        context.onTestFinished(() => gateway.close())
        const instance = await started({ ...limits, way: gateway })
        members.push({ gateway, instance, isBlocked: false, until: [0, 0] })
      }
      for (const { instance } of members) await instance.calls(1)
      await allotted(redis, 3)

      let [granted, alone] = [3, 0]
      const under: Promise<unknown>[] = []
      for (let turn = 0; turn < turns; turn += 1) {
        await pause(2 * random())
        for (const one of members)
          if (one.isBlocked && (turn >= one.until[0] || performance.now() >= one.until[1])) {
            one.isBlocked = false
            one.gateway.unblock()
          }
        const member = members[Math.floor(3 * random())]
        if (!member) continue
        if (random() < 0.01 && !member.isBlocked) {
          member.isBlocked = true
          member.until = [turn + longestOutage * random(), performance.now() + longestMs]
          member.gateway.block()
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
      for (const { gateway } of members) gateway.unblock()
      // Together again they spend what is left.
      const first = members[0]?.instance
      await vi.waitFor(async () => {
        granted += (await first?.calls(20)) ?? 0
        expect(5 * granted).toBe(3_000)
      }, patience)
      for (const { instance } of members) expect(await instance.calls(2)).toBe(0)
      await vi.waitFor(async () => expect(await first?.recorded()).toBe(3_000), patience)
    },
  )
})
