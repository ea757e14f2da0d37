import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Capabilities } from './capabilities/capabilities.ts'
import { CapabilitiesError, capabilitiesFile, keptCapabilities } from './capabilities/file.ts'
import { ConfigError, readConfig } from './config.ts'
import type { Config } from './config.ts'
import { clientBudgetsOf, ledgerOf } from './ledger.ts'
import { ClientBudgetsError } from './money/client-budgets.ts'
import type { OpenLedger } from './money/open-ledger.ts'
import { createApp } from './server/app.ts'
import { ManifestError, noDocuments, readDocuments } from './server/documents.ts'
import { hostCheck } from './server/hosts.ts'
import { compressed, ListenError, open } from './server/listen.ts'
import type { Opening } from './server/listen.ts'
import { logTo } from './server/log.ts'
import { conditionsOf } from './server/troubles.ts'
import { runServiceCommand } from './service/command.ts'
import { sampleBasketball } from './service/sample/ids.ts'
import { serve, WrongSourceError } from './service/serve.ts'
import { PortTakenError } from './service/service.ts'
import { DatabaseUnavailableError } from './service/store/database.ts'
import { longestFresh } from './rows/freshness.ts'
import { AnswerFile } from './store/answer-file.ts'
import { AnswerRedis } from './store/answer-redis.ts'
import { RedisConnection } from './store/redis.ts'
import type { AnswerStore } from './upstream/answer-store.ts'
import { keepSizes, SIZES_FILE } from './upstream/sizes-file.ts'
import { recording, replaying, TapeError } from './upstream/tape.ts'
import { httpTransport } from './upstream/transport.ts'
import type { Transport } from './upstream/transport.ts'
import { Upstream } from './upstream/account.ts'

type Close = () => Promise<unknown>

/** Closes what was started, after so many seconds in which it still answers and says that it is not ready. */
type Stop = (drainSeconds: number) => Promise<unknown>

/** Where the service is, and how it is asked. */
interface Source {
  readonly url: string
  readonly apiKey: string | null
  readonly organization: string | null
  readonly division: string | null
  readonly close: Close
}

async function embedded(config: Config): Promise<Source> {
  const { host, servicePort: port, dataDir, databaseUrl } = config
  const settings = { host, port, dataDir, databaseUrl: databaseUrl ?? undefined }
  const service = await serve(settings, { sample: databaseUrl === null })
  const isSample = service.source === 'sample'
  console.log(`The statistics service listens on ${service.url}`)
  return {
    url: service.url,
    apiKey: config.upstreamApiKey ?? (isSample ? 'sample-paid' : null),
    organization: config.defaultOrganizationId ?? (isSample ? sampleBasketball.organizationId : null),
    division: config.defaultDivisionId ?? (isSample ? sampleBasketball.divisionId : null),
    close: () => service.close(),
  }
}

const elsewhere = (url: string, config: Config): Source => ({
  url,
  apiKey: config.upstreamApiKey,
  organization: config.defaultOrganizationId,
  division: config.defaultDivisionId,
  close: async () => {},
})

/** Listens at once, so that the process is seen to be up, and answers queries when the service is there. */
async function start(config: Config): Promise<Stop> {
  const ports: Opening[] = []
  const redis = redisOf(config)
  try {
    const server = await opened(ports, config.host, config.port, 'PORT')
    const admin =
      config.adminPort === null ? null : await opened(ports, config.host, config.adminPort, 'ADMIN_PORT')
    const source = await sourceOf(config)
    const log = logTo(config.logLevel)
    // What is replayed is not billed.
    const ledger = config.upstreamTape?.mode === 'replay' ? undefined : await ledgerOf(config, redis)
    const upstream = upstreamOf(source, config, ledger, answersOf(config, redis))
    const { apiKey, organization, division } = source
    await warm(upstream, apiKey, redis)
    if (redis && !redis.isUp) console.warn(aloneBecause(redis.reason))
    const endSizes = sizesOf(config, upstream, apiKey)
    const defaults = { organization_id: organization ?? undefined, division_id: division ?? undefined }
    const documents =
      config.trustedDocuments === null
        ? noDocuments
        : readDocuments(config.trustedDocuments, config.trustedDocumentsOnly)
    const isOurHost = hostCheck(config.allowedHosts, config.host)
    const conditions = conditionsOf(upstream, apiKey, config.upstreamTape?.mode === 'replay')
    if (redis) conditions.add('redis', () => (redis.reason === null ? null : { reason: redis.reason }))
    const app = createApp({
      upstream,
      apiKey,
      defaults,
      origins: config.corsOrigins,
      isOurHost,
      conditions,
      hasAdmin: admin !== null,
      documents,
      queryLimits: config.queryLimits,
      subscriptionLimits: config.subscriptionLimits,
      log,
    })
    server.answerWith(compressed(app))
    admin?.answerWith(app.admin)
    if (admin) console.log(`Metrics and usage are served at ${admin.url}`)
    console.log(`The graph listens on ${server.url}/graphql`)
    return async (drainSeconds) => {
      conditions.add('server', () => ({ reason: 'It is draining.', isFatal: true }))
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

/** Opens a port and notes it, so that it is closed whatever happens after. */
async function opened(ports: Opening[], ...where: Parameters<typeof open>): Promise<Opening> {
  const port = await open(...where)
  ports.push(port)
  return port
}

/** A tape that is replayed needs no service; without an address it is taken to be of the sample league. */
async function sourceOf(config: Config): Promise<Source> {
  const { upstreamUrl, upstreamTape } = config
  if (upstreamTape?.mode === 'replay') {
    const of = elsewhere(upstreamUrl ?? '', config)
    const league = upstreamUrl === null ? sampleBasketball : null
    return {
      ...of,
      apiKey: of.apiKey ?? (upstreamUrl === null ? 'tape' : null),
      organization: of.organization ?? league?.organizationId ?? null,
      division: of.division ?? league?.divisionId ?? null,
    }
  }
  return upstreamUrl === null ? embedded(config) : elsewhere(upstreamUrl, config)
}

function transportOf({ url }: Source, { upstreamTape, upstreamMaxBytes }: Config): Transport {
  if (upstreamTape?.mode === 'replay') return replaying(upstreamTape.file)
  const transport = httpTransport(url, upstreamMaxBytes ?? undefined)
  return upstreamTape ? recording(transport, upstreamTape.file) : transport
}

/** How long a start waits for Redis, in milliseconds. */
const longestRedisWait = 1_000

const aloneBecause = (reason: string | null) => `${reason} This instance works alone until Redis is back.`

/** Redis is connected to in the background: an instance starts without it, too. */
function redisOf({ redisUrl }: Config): RedisConnection | null {
  const onChange = (reason: string | null) =>
    reason === null
      ? console.log('Redis is connected. This instance shares what it buys.')
      : console.warn(aloneBecause(reason))
  return redisUrl === null ? null : new RedisConnection(redisUrl, { onChange })
}

/**
 * Where bought rows are kept beyond this process: in Redis, which instances share, or in a file. A tape has every call of its own, so
 * that nothing is kept beside it.
 */
function answersOf(config: Config, redis: RedisConnection | null): AnswerStore | undefined {
  const { dataDir, freshFor, upstreamTape, upstreamUrl } = config
  if (upstreamTape) return undefined
  const keptFor = longestFresh(freshFor) + freshFor.staleIfError
  const service = upstreamUrl ?? 'embedded'
  if (redis) return new AnswerRedis(redis, { keptFor, service })
  const warn = (message: string) => console.warn(message)
  try {
    return new AnswerFile(dataDir, { clock: Date.now, keptFor, service, warn })
  } catch (error) {
    warn(
      `The rows in DATA_DIR (${dataDir}) cannot be written: ${(error as Error).message}. They are kept in memory only.`,
    )
    return undefined
  }
}

/** What is known of the service. The embedded one is as specified. */
function capabilitiesOf({ upstreamUrl: url, capabilities, dataDir, upstreamTape }: Config): Capabilities {
  if (url === null || upstreamTape?.mode === 'replay') return new Capabilities(Date.now)
  return keptCapabilities(capabilities ?? capabilitiesFile(dataDir), url, Date.now, (text) =>
    console.warn(text),
  )
}

/** Writes what is learned of sizes, for `statline price`. Those of a client's own key are its own. */
const sizesOf = ({ dataDir }: Config, upstream: Upstream, apiKey: string | null) =>
  apiKey === null
    ? () => {}
    : keepSizes(join(dataDir, SIZES_FILE), () => upstream.findAccount(apiKey)?.estimates, Date.now)

/** Reads what was kept of the key, and what it has spent elsewhere, before queries come, as far as that is there soon. */
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
) =>
  new Upstream({
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

/** npm passes on what a terminal has sent to its children as well: signals so close together, in milliseconds, are one. */
const sameSignal = 500

/**
 * Closes what was started at the first signal; a second one ends the process at once. Only SIGTERM drains: it comes from what also moves
 * clients to another instance, SIGINT from a person at a terminal, who would wait for nothing.
 */
function closeOnSignal(started: Promise<Stop>, drainSeconds: number): void {
  let first: number | null = null
  const end = (signal: NodeJS.Signals) => {
    if (first !== null && performance.now() - first > sameSignal) process.exit(1)
    if (first !== null) return
    first = performance.now()
    void started
      .then((stop) => stop(signal === 'SIGTERM' ? drainSeconds : 0))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end)
}

const known = [
  CapabilitiesError,
  ConfigError,
  DatabaseUnavailableError,
  ListenError,
  ManifestError,
  ClientBudgetsError,
  TapeError,
  WrongSourceError,
  PortTakenError,
]

async function main(): Promise<void> {
  const [command, ...args] = process.argv.slice(2)
  try {
    const config = readConfig()
    for (const warning of config.warnings) console.warn(warning)
    if (command === 'service') {
      const { host, servicePort: port, dataDir, databaseUrl } = config
      process.exitCode = await runServiceCommand(args, {
        host,
        port,
        dataDir,
        databaseUrl: databaseUrl ?? undefined,
      })
    } else {
      const started = start(config)
      closeOnSignal(started, config.drainSeconds)
      await started
    }
  } catch (error) {
    console.error(known.some((kind) => error instanceof kind) ? (error as Error).message : error)
    process.exitCode = 1
  }
}

await main()
