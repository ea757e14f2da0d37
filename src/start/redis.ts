import { secretIn } from '../money/files/outbox.ts'
import { RedisConnection } from '../store/redis/connection.ts'

interface Settings {
  readonly redisUrl: string | null
  readonly dataDir: string
}

/** Connects to Redis in the background, with the shared secret of the last start. Null without `REDIS_URL`. */
export const connectionOf = ({ redisUrl, dataDir }: Settings): RedisConnection | null =>
  redisUrl === null ? null : new RedisConnection(redisUrl, { secret: secretIn(dataDir) })
