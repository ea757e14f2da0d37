import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { ledgerOf } from './ledger.ts'
import { checkDataDir } from './data-dir.ts'
import type { OpenLedger } from '../money/open-ledger.ts'
import { createApp } from '../server/app.ts'
import type { ServerOptions } from '../server/app.ts'
import { hostCheck } from '../server/hosts.ts'
import { compressed, open, patient } from '../server/listen.ts'
import type { Opening } from '../server/listen.ts'
import { logTo } from '../server/log.ts'
import { upstreamChecks } from '../server/upstream-checks.ts'
import type { RedisConnection } from '../store/redis/connection.ts'
import type { Transport } from '../wire/transport.ts'
import { Upstream } from '../account/upstream.ts'
import type { AnswerStore } from '../account/answer-store.ts'
import { holdDataDir } from './data-dir-lock.ts'
import { filesOf } from './files.ts'
import type { Files } from './files.ts'
import { keepNewObjectsYoung } from './new-objects.ts'
import { keyNote, openSpending } from './spending-notes.ts'
import { fewFiles, openFiles } from './open-files.ts'
import { onceAMinute } from './once-a-minute.ts'
import { sourceOf, transportOf } from './source.ts'
import type { Source } from './source.ts'
import { clockOf, replayConfig } from './replay.ts'
import { aloneBecause, answersOf, learnedOf, redisOf, keepLearnedSizes } from './stores.ts'
import { fills } from '../loaders/fills.ts'

/**
 * Closes everything that was started. Before that, it still answers for so many seconds while `/ready`
 * returns 503.
 */
export type Stop = (drainSeconds: number) => Promise<unknown>

/**
 * Listens at once, so that probes find the process, and answers queries when the service is available. If a
 * part cannot start, those before it are closed, so that the process ends.
 */
export async function start(given: Config): Promise<Stop> {
  const config = replayConfig(given)
  keepNewObjectsYoung()
  const files = filesOf(config)
  checkDataDir(config.dataDir)
  const ports: Opening[] = []
  const redis = redisOf(config)
  const parts: Closers = [() => redis?.close()]
  try {
    const server = await opened(ports, config.host, config.port, 'PORT')
    const admin =
      config.adminPort === null ? null : await opened(ports, config.host, config.adminPort, 'ADMIN_PORT')
    const source = await sourceOf(config, files.replayed)
    parts.push(() => source.close())
    const upstream = await startUpstream(config, files, { source, redis }, parts)
    if (redis && !redis.isUp) console.warn(aloneBecause(redis.reason))
    const endSizes = keepLearnedSizes(config, upstream, source.apiKey)
    const checks = upstreamChecks(upstream, source.apiKey, files.replayed !== null)
    if (redis) checks.add('redis', () => (redis.reason === null ? null : { reason: redis.reason }))
    const app = appOf(config, source, files, { upstream, checks, hasAdmin: admin !== null })
    server.answerWith(compressed(app))
    admin?.answerWith(app.admin)
    if (admin) console.log(`Metrics and usage are served at ${admin.url}`)
    if (config.upstreamUrl !== null && !files.replayed) console.log(keyNote(source.apiKey))
    const risk = files.replayed ? null : openSpending(config, files.clientBudgets)
    if (risk !== null) console.warn(risk)
    limitConnections(server, config)
    console.log(`The graph listens on ${server.url}/graphql`)
    console.log(`The scoreboard is at ${server.url}/`)
    return async (drainSeconds) => {
      checks.add('server', () => ({ reason: 'It is draining.', isFatal: true }))
      for (const port of ports) port.drain()
      await wait(drainSeconds * 1_000)
      const grace = wait(patient.graceMs, undefined, { ref: false })
      for (const port of ports) await port.close()
      await app.stop(grace)
      endSizes()
      await closeAll(parts)
    }
  } catch (error) {
    for (const port of ports) await port.close()
    await closeAll(parts)
    throw error
  }
}

/** Leaves files for calls and databases. Called when those of the start are open. */
function limitConnections(server: Opening, { subscriptionLimits, upstreamConcurrency }: Config): void {
  const files = openFiles(upstreamConcurrency)
  const few = files && fewFiles(files, subscriptionLimits.inTotal)
  if (few !== null) console.warn(few)
  server.limit(
    files?.connections ?? null,
    onceAMinute((text) => console.warn(text)),
  )
}

/** What closes each part that was started, in the order of their starts. */
type Closers = (() => Promise<unknown> | undefined)[]

/** What was opened last is closed first. */
async function closeAll(parts: Closers): Promise<void> {
  for (const close of parts.toReversed()) await close()
}

/** Where calls come from and where bills go, with what is known of both. Adds to `parts` what it starts. */
async function startUpstream(
  config: Config,
  files: Files,
  { source, redis }: { readonly source: Source; readonly redis: RedisConnection | null },
  parts: Closers,
): Promise<Upstream> {
  const { capabilities, replayed, clientBudgets } = files
  const { apiKey } = source
  const learned = learnedOf(config, apiKey, replayed)
  const beginning = () => ({
    at: Date.now(),
    findings: capabilities.findings,
    sizes: (apiKey !== null && learned(apiKey)?.toJSON()) || null,
  })
  const transport = replayed ?? transportOf(source, config, beginning)
  if (!replayed) {
    const release = holdDataDir(config.dataDir, redis !== null, (message) => console.warn(message))
    parts.push(async () => release())
  }
  // Replayed answers are not billed.
  const ledger = replayed ? undefined : await ledgerOf(config, redis, clientBudgets)
  const upstream = upstreamOf(config, files, { transport, ledger, learned }, answersOf(config, redis))
  const warn = onceAMinute((text) => console.warn(text))
  upstream.health.onObstacle(({ text }) =>
    warn(`The statistics service at ${source.url} cannot be reached: ${text}`),
  )
  parts.push(() => upstream.close())
  const counting = setInterval(() => upstream.ledgers.countOthers(), countOthersEvery).unref()
  parts.push(async () => clearInterval(counting))
  await warm(upstream, apiKey, redis)
  return upstream
}

function appOf(
  config: Config,
  { apiKey, organization, division }: Source,
  { documents }: Files,
  started: Pick<ServerOptions, 'checks' | 'hasAdmin'> & { readonly upstream: Upstream },
) {
  return createApp({
    ...started,
    apiKey,
    defaults: { organization_id: organization ?? undefined, division_id: division ?? undefined },
    origins: config.corsOrigins,
    isOurHost: hostCheck(config.allowedHosts, config.host),
    documents,
    queryLimits: config.queryLimits,
    executionLimits: config.executionLimits,
    subscriptionLimits: config.subscriptionLimits,
    trustedProxies: config.trustedProxies,
    log: logTo(config.logLevel),
  })
}

/** Opens a port, and registers it to be closed also after a failed start. */
async function opened(ports: Opening[], ...where: Parameters<typeof open>): Promise<Opening> {
  const port = await open(...where)
  ports.push(port)
  return port
}

/** Milliseconds between two looks at what another process on the same DATA_DIR has spent. */
const countOthersEvery = 1_000

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

interface UpstreamParts {
  readonly transport: Transport
  readonly ledger: OpenLedger | undefined
  readonly learned: ReturnType<typeof learnedOf>
}

const upstreamOf = (
  config: Config,
  { capabilities, clientBudgets, replayed }: Files,
  { transport, ledger, learned }: UpstreamParts,
  answers: AnswerStore | undefined,
) =>
  new Upstream({
    learned,
    ...(ledger && { ledger }),
    ...(answers && { answers }),
    capabilities,
    transport,
    isReplayed: replayed !== null,
    fills,
    monthlyTokenBudget: config.monthlyTokenBudget,
    clientBudgets,
    timeoutMs: config.upstreamTimeoutMs,
    batchSize: config.upstreamBatchSize,
    concurrency: config.upstreamConcurrency,
    freshFor: config.freshFor,
    timeZone: config.leagueTimeZone,
    clock: clockOf(replayed),
  })
