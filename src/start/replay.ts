import type { Config } from '../config.ts'
import type { Replayed } from '../calls/tape/replaying.ts'

/**
 * The settings of a replay. Its answers are billed to nobody and shared with nobody, so that monthly budgets
 * and Redis are not used. The limits of a request stay.
 */
export function replayConfig(config: Config): Config {
  if (config.upstreamTape?.mode !== 'replay') return config
  if (config.redisUrl !== null) console.warn('REDIS_URL is not used, because UPSTREAM_TAPE replays a tape.')
  return { ...config, redisUrl: null, monthlyTokenBudget: null, clientBudgets: null }
}

/**
 * The clock of the server. In a replay it starts at the time of the recording: today's games, the current
 * season and what is over are those of the tape.
 */
export function clockOf(replayed: Replayed | null): () => number {
  const at = replayed?.beginning.at ?? null
  if (at === null) return Date.now
  const ahead = Date.now() - at
  return () => Date.now() - ahead
}
