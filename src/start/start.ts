import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { clientBudgetsOf, ledgerOf } from '../configured-ledger.ts'
import type { OpenLedger } from '../money/open-ledger.ts'
import { createApp } from '../server/app.ts'
import type { ServerOptions } from '../server/app.ts'
import { noDocuments, readDocuments } from '../server/documents.ts'
import { hostCheck } from '../server/hosts.ts'
import { compressed, open } from '../server/listen.ts'
import type { Opening } from '../server/listen.ts'
import { logTo } from '../server/log.ts'
import { upstreamChecks } from '../server/upstream-checks.ts'
import type { RedisConnection } from '../store/redis.ts'
import { Upstream } from '../upstream/upstream.ts'
import type { AnswerStore } from '../upstream/answer-store.ts'
import { sourceOf, transportOf } from './source.ts'
import type { Source } from './source.ts'
import { aloneBecause, answersOf, capabilitiesOf, learnedOf, redisOf, sizesOf } from './stores.ts'

/**
 * Closes everything that was started. Before that, it still answers for so many seconds while `/ready`
 * returns 503.
 */
export type Stop = (drainSeconds: number) => Promise<unknown>

/** Listens at once, so that probes find the process, and answers queries when the service is available. */
export async function start(config: Config): Promise<Stop> {
  const ports: Opening[] = []
  const redis = redisOf(config)
  try {
    const server = await opened(ports, config.host, config.port, 'PORT')
    const admin =
      config.adminPort === null ? null : await opened(ports, config.host, config.adminPort, 'ADMIN_PORT')
    const source = await sourceOf(config)
    // Replayed answers are not billed.
    const ledger = config.upstreamTape?.mode === 'replay' ? undefined : await ledgerOf(config, redis)
    const { apiKey } = source
    const learned = learnedOf(config, apiKey)
    const upstream = upstreamOf(source, config, ledger, answersOf(config, redis), learned)
    await warm(upstream, apiKey, redis)
    if (redis && !redis.isUp) console.warn(aloneBecause(redis.reason))
    const endSizes = sizesOf(config, upstream, apiKey)
    const checks = upstreamChecks(upstream, apiKey, config.upstreamTape?.mode === 'replay')
    if (redis) checks.add('redis', () => (redis.reason === null ? null : { reason: redis.reason }))
    const app = appOf(config, source, { upstream, checks, hasAdmin: admin !== null })
    server.answerWith(compressed(app))
    admin?.answerWith(app.admin)
    if (admin) console.log(`Metrics and usage are served at ${admin.url}`)
    console.log(`The graph listens on ${server.url}/graphql`)
    console.log(`The scoreboard is at ${server.url}/`)
    return async (drainSeconds) => {
      checks.add('server', () => ({ reason: 'It is draining.', isFatal: true }))
      for (const port of ports) port.drain()
      await wait(drainSeconds * 1_000)
      for (const port of ports) await port.close()
      await app.dispose()
      endSizes()
      await upstream.close()
      await redis?.close()
      await source.close()
    }
  } catch (error) {
    await redis?.close()
    for (const port of ports) await port.close()
    throw error
  }
}

function appOf(
  config: Config,
  { apiKey, organization, division }: Source,
  started: Pick<ServerOptions, 'checks' | 'hasAdmin'> & { readonly upstream: Upstream },
) {
  const { trustedDocuments: file, trustedDocumentsOnly } = config
  return createApp({
    ...started,
    apiKey,
    defaults: { organization_id: organization ?? undefined, division_id: division ?? undefined },
    origins: config.corsOrigins,
    isOurHost: hostCheck(config.allowedHosts, config.host),
    documents: file === null ? noDocuments : readDocuments(file, trustedDocumentsOnly),
    queryLimits: config.queryLimits,
    subscriptionLimits: config.subscriptionLimits,
    log: logTo(config.logLevel),
  })
}

/** Opens a port, and registers it to be closed also after a failed start. */
async function opened(ports: Opening[], ...where: Parameters<typeof open>): Promise<Opening> {
  const port = await open(...where)
  ports.push(port)
  return port
}

/** Milliseconds that a start waits for Redis. */
const longestRedisWait = 1_000

/**
 * Before the first query, loads the key's stored answers and its spending by other instances, if they are
 * available soon.
 */
async function warm(upstream: Upstream, apiKey: string | null, redis: RedisConnection | null): Promise<void> {
  if (apiKey === null) return
  await redis?.ready(longestRedisWait)
  const account = upstream.accountOf(apiKey)
  await account.store?.sharing?.take([])
  await account.refreshLedger()
}

const upstreamOf = (
  source: Source,
  config: Config,
  ledger: OpenLedger | undefined,
  answers: AnswerStore | undefined,
  learned: ReturnType<typeof learnedOf>,
) =>
  new Upstream({
    learned,
    ...(ledger && { ledger }),
    ...(answers && { answers }),
    capabilities: capabilitiesOf(config),
    transport: transportOf(source, config),
    monthlyTokenBudget: config.monthlyTokenBudget,
    clientBudgets: clientBudgetsOf(config),
    timeoutMs: config.upstreamTimeoutMs,
    batchSize: config.upstreamBatchSize,
    concurrency: config.upstreamConcurrency,
    freshFor: config.freshFor,
    clock: Date.now,
  })
