import { expect, vi } from 'vitest'
import type { RedisServer } from '../redis/redis-server.ts'
import { patience } from '../../patience.ts'

/** Resolves when so many allotments are held: one instance's tokens of one budget, in case Redis goes away. */
export const allotted = (redis: RedisServer, count: number): Promise<void> =>
  vi.waitFor(async () => {
    const names = (await redis.send('KEYS', 'statline:1:ledger:allotted:*')) as string[]
    const held = (await Promise.all(names.map((name) => redis.send('HVALS', name)))).flat() as string[]
    expect(held.filter((one) => !one.startsWith('0 '))).toHaveLength(count)
  }, patience)
