import { RedisConnection } from '../../../src/store/redis/connection.ts'
import type { RedisOptions } from '../../../src/store/redis/connection.ts'
import { redisTimes } from '../../../src/store/redis/redis-times.ts'

/** A way to a Redis, which may hang or be cut off. */
export interface Way {
  readonly url: string
  /** Milliseconds to wait for an answer, at this moment. */
  readonly longestWaitMs: number
}

/** A Redis that hangs counts as away at once. One that answers never does, however busy the machine is. */
export const longestWait = (isSilent: boolean): number => (isSilent ? 20 : 10_000)

/** Connections come back sooner than usual. */
export const quickTimes = { ...redisTimes, tickEvery: 50, lastRetry: 100, firstPause: 50, longestPause: 200 }

export const connectionOver = (
  way: Way,
  options: Omit<RedisOptions, 'longestWaitMs'> = {},
): RedisConnection =>
  new RedisConnection(way.url, {
    times: quickTimes,
    ...options,
    get longestWaitMs() {
      return way.longestWaitMs
    },
  })
