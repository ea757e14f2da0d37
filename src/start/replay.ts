import type { Config } from '../config.ts'

/**
 * The settings of a replay. Its answers are billed to nobody and shared with nobody, so that monthly budgets
 * and Redis are not used. The limits of a request stay.
 */
export function replayConfig(config: Config): Config {
  if (config.upstreamTape?.mode !== 'replay') return config
  if (config.redisUrl !== null) console.warn('REDIS_URL is not used, because UPSTREAM_TAPE replays a tape.')
  return { ...config, redisUrl: null, monthlyTokenBudget: null, clientBudgets: null }
}
