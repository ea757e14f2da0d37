import { createServer } from 'node:http'
import { useResponseCache } from '@graphql-yoga/plugin-response-cache'
import { createClient } from '@redis/client'
import { createYoga } from 'graphql-yoga'
import type { Plugin } from 'graphql-yoga'
import { createApp } from '../../src/server/app.ts'
import type { AppOptions } from '../../src/server/app.ts'
import { compressed } from '../../src/server/listen.ts'
import { keepNewObjectsYoung } from '../../src/start/new-objects.ts'
import { AnswerFile } from '../../src/store/answers/answer-file.ts'
import { AnswerRedis } from '../../src/store/answers/answer-redis.ts'
import { RedisConnection } from '../../src/store/redis/connection.ts'
import { RedisLedger } from '../../src/store/ledger/redis-ledger.ts'
import { noClientBudgets } from '../../src/money/client-budgets.ts'
import { LedgerFile } from '../../src/money/files/ledger-file.ts'
import { openLedger, openShared } from '../../src/money/open-ledger.ts'
import type { OpenLedger } from '../../src/money/open-ledger.ts'
import { MemoryOutbox } from '../../src/money/files/outbox.ts'
import type { AnswerStore } from '../../src/account/answer-store.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import type { Transport } from '../../src/wire/transport.ts'
import { Account } from '../../src/account/account.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { sampleNow } from '../league.ts'
import { withLoaders } from '../naive/asking.ts'
import type { Layer } from '../naive/thing.ts'
import { listening } from '../child.ts'
import { naiveSchema } from '../naive/schema.ts'
import { frugalSchema } from './frugal.ts'
import { proxy } from './proxy.ts'
import { rawTransport } from './raw-transport.ts'
import { place, printedSchema } from './recording.ts'
import { fills } from '../../src/loaders/fills.ts'

/** A process that answers the query in one of the ways that are measured. */

class ForgetfulUpstream extends Upstream {
  /** An account that nobody has paid anything for. */
  override accountOf(apiKey: string): Account {
    return new Account(this, apiKey)
  }

  /** Clears its rows, like an account that is dropped after its only request. */
  override leave(account: Account): void {
    account.rows.clear()
  }
}

const apiKey = 'anyone'
const [kind = '', url = '', beside = ''] = process.argv.slice(2)
const transport = httpTransport(url)

/** What is kept beyond the process. */
interface Stores {
  readonly answers?: AnswerStore
  readonly ledger?: OpenLedger
  readonly transport?: Transport
}

const statline = (Kind: typeof Upstream, options: Partial<AppOptions> = {}, stores: Stores = {}) => {
  keepNewObjectsYoung()
  const settings = {
    transport,
    ...stores,
    fills,
    monthlyTokenBudget: null,
    timeoutMs: 10_000,
    batchSize: 500,
    concurrency: 32,
  }
  const upstream = new Kind({ ...settings, clock: () => sampleNow })
  return compressed(createApp({ upstream, apiKey, defaults: place, ...options }))
}

const kept = { keptFor: 172_800_000, service: 'bench' }

/** Rows and ledger in files, as without `REDIS_URL`. */
async function inFiles(folder: string): Promise<Stores> {
  return {
    answers: new AnswerFile(folder, { ...kept, clock: () => sampleNow, warn: console.warn }),
    ledger: await openLedger(new LedgerFile(folder, sampleNow), sampleNow, console.warn),
  }
}

/** Rows and ledger in Redis, as with `REDIS_URL`. */
async function inRedis(address: string): Promise<Stores> {
  const redis = new RedisConnection(address)
  const ledger = new RedisLedger({
    redis,
    outbox: new MemoryOutbox(),
    clock: () => sampleNow,
    budget: null,
    clientBudgets: noClientBudgets,
    leaseMs: 50_000,
    onFailure: console.warn,
  })
  await ledger.ready(10_000)
  return { answers: new AnswerRedis(redis, kept), ledger: openShared(ledger, console.warn) }
}

/** Nothing in Redis, but calls of one level wait for one PING: the least that any sharing takes. */
async function withPings(address: string): Promise<Stores> {
  const redis = createClient({ url: address })
  await redis.connect()
  let ping: Promise<unknown> | null = null
  return {
    async transport(request) {
      ping ??= redis.ping().finally(() => (ping = null))
      await ping
      return transport(request)
    },
  }
}

/** Keeps rows, but no answer: none fits. */
const rowsAlone = { mostAnswers: 1 }

const loaders = (schemaOf: typeof naiveSchema, plugins: Plugin[] = []) =>
  createYoga<object, Layer>({
    plugins,
    schema: schemaOf(printedSchema()),
    graphqlEndpoint: '/graphql',
    graphiql: false,
    logging: false,
    context: () => ({ asking: withLoaders(transport, apiKey), place }),
  })

const listeners = {
  cold: () => statline(ForgetfulUpstream),
  keys: () => statline(Upstream, { apiKey: null }),
  keysFile: async () => statline(Upstream, { apiKey: null }, await inFiles(beside)),
  keysPing: async () => statline(Upstream, { apiKey: null }, await withPings(beside)),
  keysRedis: async () => statline(Upstream, { apiKey: null }, await inRedis(beside)),
  warm: () => statline(Upstream, rowsAlone),
  kept: () => statline(Upstream),
  cached: () =>
    loaders(frugalSchema, [useResponseCache({ session: () => null, ttl: 3_600_000, idFields: [] })]),
  loaders: () => loaders(naiveSchema),
  frugal: () => loaders(frugalSchema),
  proxy: () => proxy(rawTransport(url), apiKey),
  quick: () => proxy(transport, apiKey),
}

const make = listeners[kind as keyof typeof listeners] // the benchmark asks for no other
listening(createServer(await make()), '/graphql')
