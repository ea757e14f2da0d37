import { expect, vi } from 'vitest'
import type { RedisServer } from '../redis/redis-server.ts'

/** Resolves when so many instances hold tokens of one budget in case Redis goes away. */
export const allotted = (redis: RedisServer, instances: number): Promise<void> =>
  vi.waitFor(async () => {
    const names = (await redis.send('KEYS', 'statline:1:ledger:allotted:*')) as string[]
    expect(names).toHaveLength(1)
    const held = (await redis.send('HVALS', names[0] ?? '')) as string[]
    expect(held.filter((one) => !one.startsWith('0 '))).toHaveLength(instances)
  }, 30_000)
