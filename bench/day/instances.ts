import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/server/app.ts'
import type { App } from '../../src/server/app.ts'
import { AnswerFile } from '../../src/store/answers/answer-file.ts'
import { AnswerRedis } from '../../src/store/answers/answer-redis.ts'
import { RedisConnection } from '../../src/store/redis/connection.ts'
import type { AnswerStore } from '../../src/account/answer-store.ts'
import type { Transport } from '../../src/wire/transport.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { hasRedis, startRedis } from '../../test/store/redis/redis-server.ts'
import type { Site } from './kinds.ts'
import { fills } from '../../src/loaders/fills.ts'

const hour = 3_600_000
const keptFor = 2 * 86_400_000

/** One or more instances of Statline that serve the day's queries. */
export interface Instances {
  readonly name: string
  /** Asks; answers with the tokens that the service has billed for it. */
  ask(query: string): Promise<number>
  close(): Promise<void>
}

/** What all instances have in common. */
export interface Ground {
  readonly transport: Transport
  readonly apiKey: string
  readonly clock: () => number
  readonly site: Site
}

/**
 * Asks an app that is started anew for each query where that is wanted, and counts what the service bills.
 */
function asking({ transport, apiKey, clock, site }: Ground) {
  let billed = 0
  const counting: Transport = async (request) => {
    const answer = await transport(request)
    billed += Number(answer.headers['x-request-usage'])
    return answer
  }
  const settings = {
    fills,
    monthlyTokenBudget: null,
    timeoutMs: 60_000,
    batchSize: 500,
    concurrency: 32,
    clock,
  }
  return {
    start: (answers?: AnswerStore) => {
      const upstream = new Upstream({ transport: counting, ...settings, ...(answers && { answers }) })
      return createApp({ upstream, apiKey, defaults: site.league })
    },
    ask: async (app: App, query: string): Promise<number> => {
      const before = billed
      const response = await app.fetch('http://statline.bench/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      const { errors } = (await response.json()) as { readonly errors?: unknown } // GraphQL over HTTP
      if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`)
      return billed - before
    },
  }
}

/** One instance that never stops, with its rows in memory. */
export function oneInstance(ground: Ground): Instances {
  const { start, ask } = asking(ground)
  const app = start()
  return { name: 'one instance', ask: (query) => ask(app, query), close: async () => {} }
}

/** One instance that is stopped and started again every hour. */
export function restarting(ground: Ground): Instances {
  const { start, ask } = asking(ground)
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  const open = () =>
    new AnswerFile(folder, { clock: ground.clock, keptFor, service: 'bench', warn: console.warn })
  let file = open()
  let app = start(file)
  let startedAt = ground.clock()
  return {
    name: 'with a restart every hour',
    async ask(query) {
      if (ground.clock() - startedAt >= hour) {
        await file.close()
        file = open()
        app = start(file)
        startedAt = ground.clock()
      }
      return ask(app, query)
    },
    async close() {
      await file.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Three instances with a Redis, which are asked in turn; null if there is no Redis. */
export async function threeInstances(ground: Ground): Promise<Instances | null> {
  if (!hasRedis) return null
  const redis = await startRedis()
  const { start, ask } = asking(ground)
  const apps: App[] = []
  const open: { close(): Promise<void> }[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const connection = new RedisConnection(redis.url, { longestWaitMs: 5_000 })
    const answers = new AnswerRedis(connection, { keptFor, service: 'bench' })
    await connection.ready(5_000)
    open.push(answers, connection)
    apps.push(start(answers))
  }
  let asked = 0
  return {
    name: 'three instances and a Redis',
    ask(query) {
      const app = apps[(asked += 1) % apps.length]
      return app ? ask(app, query) : Promise.resolve(0)
    },
    async close() {
      for (const one of open) await one.close()
      await redis.stop()
    },
  }
}
