import { setTimeout as pause } from 'node:timers/promises'
import { vi } from 'vitest'
import { patience } from '../../src/money/separation.ts'
import type { RedisConnection } from '../../src/store/redis.ts'

/** Resolves when an instance that has lost Redis spends its share of what was left of a budget. */
export async function untilAlone(redis: RedisConnection): Promise<void> {
  await vi.waitFor(() => {
    // It learns of a Redis that hangs when it asks.
    redis.send(['PING']).catch(() => {})
    if (redis.isUp) throw new Error('Redis is still in use.')
  }, 30_000)
  await pause(patience + 200)
}
