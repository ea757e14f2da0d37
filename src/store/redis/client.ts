import { RedisClient } from '@redis/client'
import type { RedisTimes } from './redis-times.ts'

export type Client = ReturnType<typeof clientOf>

const protocol = { RESP: 2 } as const

/** Made once for all clients: a class with a method for each command of Redis, which takes a megabyte. */
const newClient = RedisClient.factory(protocol)

/** A client that reconnects by itself. */
export const clientOf = (url: string, { longestSilence, firstRetry, lastRetry }: RedisTimes) =>
  newClient({
    // Also read from the options of each client.
    ...protocol,
    url,
    disableOfflineQueue: true,
    disableClientInfo: true,
    // Commands have a time limit here. The client's own takes an AbortSignal each, 3 % of a cold answer's CPU
    // time.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: longestSilence,
      reconnectStrategy: (tries: number) => Math.min(lastRetry, firstRetry * 2 ** Math.min(tries, 10)),
    },
  })
