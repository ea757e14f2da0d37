import { graphql } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { createApp } from '../../src/server/app.ts'
import type { Transport } from '../../src/wire/transport.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { singly, withLoaders } from '../naive/asking.ts'
import type { Layer } from '../naive/thing.ts'
import { inRounds } from '../../test/graph/rounds.ts'
import type { Bill } from './recipe.ts'
import type { LeagueIds } from './subjects.ts'
import { fills } from '../../src/loaders/fills.ts'

export interface Outcome {
  readonly bill: Bill
  readonly data: unknown
}

/** Answers a query with an empty cache. */
export type Answer = (query: string) => Promise<Outcome>

export interface Around {
  readonly transport: Transport
  readonly apiKey: string
  readonly clock: () => number
  readonly league: LeagueIds
  /** The season of the layer's league, if it has one. */
  readonly season: number
}

/** Calls are not queued, so that every wait is for an answer. */
const concurrency = 10_000

export const statline =
  ({ transport, apiKey, clock, league }: Around): Answer =>
  async (query) => {
    const counted = inRounds(transport)
    const settings = {
      fills,
      monthlyTokenBudget: null,
      timeoutMs: 60_000,
      batchSize: 500,
      concurrency,
      clock,
    }
    const upstream = new Upstream({ transport: counted.transport, ...settings })
    const app = createApp({ upstream, apiKey, defaults: { ...league } })
    const response = await app.fetch('http://statline.bench/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown } // GraphQL over HTTP
    if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`)
    return { data, bill: counted.bill() }
  }

export const naive =
  (schema: GraphQLSchema, batched: boolean, { transport, apiKey, league, season }: Around): Answer =>
  async (query) => {
    const counted = inRounds(transport)
    const asking = (batched ? withLoaders : singly)(counted.transport, apiKey)
    const layer: Layer = { asking, place: { ...league, season } }
    const { data, errors } = await graphql({ schema, source: query, contextValue: layer })
    if (errors) throw new Error(`${query}: ${errors.join('; ')}`)
    return { data: JSON.parse(JSON.stringify(data)) as unknown, bill: counted.bill() }
  }
