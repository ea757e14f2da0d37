import { afterAll, afterEach, beforeAll } from 'vitest'
import { startRedis } from './redis/redis-server.ts'
import type { RedisServer } from './redis/redis-server.ts'

interface Closable {
  close(): void | Promise<void>
}

/**
 * Starts a Redis before all tests of a block, and stops it after them. Returns a list: what a test adds to it
 * is closed after the test.
 */
export function redisForAll(onStarted: (redis: RedisServer) => void): Closable[] {
  const open: Closable[] = []
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
    onStarted(redis)
  })
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
  })
  afterAll(() => redis.stop())
  return open
}
