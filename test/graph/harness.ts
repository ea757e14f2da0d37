import { inject } from 'vitest'
import type { Capabilities } from '../../src/capabilities/capabilities.ts'
import { defaultExecutionLimits } from '../../src/graph/execution/budget.ts'
import type { Clocks, ExecutionLimits } from '../../src/graph/execution/budget.ts'
import type { Scope } from '../../src/graph/scope.ts'
import type { Limits } from '../../src/money/allowance.ts'
import type { ClientBudgets } from '../../src/money/client-budgets.ts'
import type { OpenLedger } from '../../src/money/open-ledger.ts'
import { defaultFreshFor } from '../../src/rows/freshness.ts'
import type { FreshFor } from '../../src/rows/freshness.ts'
import { createApp } from '../../src/server/app.ts'
import { addKey, addSampleKeys, listKeys } from '../../src/service/keys/keys.ts'
import { sampleBasketball, sampleFootball } from '../../src/service/sample/ids.ts'
import { startService } from '../../src/service/service.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import type { AnswerStore } from '../../src/account/answer-store.ts'
import type { PlanEntry, Usage } from '../../src/account/plan-entry.ts'
import { Capacity } from '../../src/rows/capacity.ts'
import type { Estimates } from '../../src/account/estimates.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import type { Incoming, Outgoing, Transport } from '../../src/wire/transport.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { sampleNow } from '../sample.setup.ts'
import { clientOf } from '../service/client.ts'
import type { Arguments, Json } from '../service/client.ts'
import { record } from './recorder.ts'
import type { Recorder } from './recorder.ts'
import { fills } from '../../src/loaders/fills.ts'

/** What a client gets. `data` is whatever the query asked for. */
export interface Answer<Data> {
  readonly data: Data
  readonly errors?: readonly {
    readonly message: string
    readonly path?: readonly (string | number)[]
    readonly extensions?: {
      readonly code?: string
      readonly needed?: number
      readonly remaining?: number
      readonly limit?: string
      readonly most?: number
      readonly more?: number
    }
  }[]
  readonly extensions: { readonly usage: Usage; readonly plan?: readonly PlanEntry[] }
}

export interface Graph {
  readonly calls: Recorder
  readonly upstream: Upstream
  /**
   * Runs a query as a client would, over HTTP without a port. Variables, `extensions` of the request and
   * headers as given.
   */
  query<Data = Record<string, unknown>>(
    text: string,
    options?: {
      variables?: Record<string, unknown>
      extensions?: Record<string, unknown>
      headers?: Record<string, string>
      operationName?: string
    },
  ): Promise<Answer<Data>>
}

export interface GraphOptions {
  readonly apiKey?: string | null
  readonly defaults?: Scope
  readonly budget?: number | null
  readonly clientBudgets?: ClientBudgets
  readonly queryLimits?: Limits
  readonly executionLimits?: ExecutionLimits
  /** By default a clock that stands still. */
  readonly executionClocks?: Clocks | undefined
  readonly ledger?: OpenLedger
  readonly clock?: () => number
  readonly timeoutMs?: number
  readonly retryPauses?: readonly number[]
  readonly batchSize?: number
  readonly concurrency?: number
  readonly freshFor?: Partial<FreshFor>
  /** The league's; New York's by default. */
  readonly timeZone?: string
  /** What is known of the service; nothing unless told. */
  readonly capabilities?: Capabilities
  readonly answers?: AnswerStore
  /** What was learned of sizes and prices before; nothing unless given. */
  readonly learned?: Estimates
  /** Bytes that are kept. */
  readonly mostKept?: number
  /** Where they are counted. */
  readonly capacity?: Capacity
  /** Bytes that are kept of accounts that came once; few, because there is a graph for each test. */
  readonly mostParked?: number
}

/** For clocks that stand still an execution never gives way, however busy the machine is. */
export const stillClocks: Clocks = { wall: () => 0, cpu: () => 0, values: Number.POSITIVE_INFINITY }

/** A tenth of what an execution may use: within it are the pages of the scoreboard, and all others like them. */
export const tenthOfLimits: ExecutionLimits = {
  MAX_VALUES: defaultExecutionLimits.MAX_VALUES / 10,
  MAX_IDS: defaultExecutionLimits.MAX_IDS / 10,
  MAX_ANSWER_BYTES: defaultExecutionLimits.MAX_ANSWER_BYTES / 10,
  // A time, which other tests on this machine lengthen.
  MAX_EXECUTION_MS: defaultExecutionLimits.MAX_EXECUTION_MS,
}

/** The default league of the tests: the sample basketball league. */
export const basketball = {
  organization_id: sampleBasketball.organizationId,
  division_id: sampleBasketball.divisionId,
} satisfies Scope

export const football = {
  organization_id: sampleFootball.organizationId,
  division_id: sampleFootball.divisionId,
} satisfies Scope

/** The current seasons of the sample leagues, and their current day. */
export const season = 2026
export const footballSeason = 2025
export const today = '2026-02-14'

/** A graph over any transport, with nothing kept yet. */
export function graphOver(transport: Transport, options: GraphOptions = {}): Graph {
  const { apiKey = 'sample-paid', defaults = basketball, budget = null, clock = standing } = options
  const calls = record(transport)
  // A busy machine may stand still for seconds.
  const { timeoutMs = 60_000, retryPauses = [1, 4], batchSize = 500, concurrency = 32 } = options
  const freshFor = { ...defaultFreshFor, ...options.freshFor }
  const settings = {
    freshFor,
    transport: calls,
    fills,
    monthlyTokenBudget: budget,
    ...(options.ledger && { ledger: options.ledger }),
    ...(options.capabilities && { capabilities: options.capabilities }),
    ...(options.answers && { answers: options.answers }),
    ...(options.timeZone && { timeZone: options.timeZone }),
    ...(options.learned && { learned: () => options.learned }),
    ...(options.clientBudgets && { clientBudgets: options.clientBudgets }),
    mostParked: options.mostParked ?? 262_144,
    timeoutMs,
    retryPauses,
    batchSize,
    concurrency,
    clock,
  }
  const upstream = new Upstream(settings, options.capacity ?? new Capacity(options.mostKept))
  const { queryLimits, executionLimits } = options
  const executionClocks = 'executionClocks' in options ? options.executionClocks : stillClocks
  // Other tests that take the processor are no overload.
  const longestWaitMs = 600_000
  const app = createApp({
    upstream,
    apiKey,
    defaults,
    queryLimits,
    executionLimits,
    executionClocks,
    longestWaitMs,
  })
  return {
    calls,
    upstream,
    async query<Data>(
      text: string,
      { variables, extensions, headers, operationName }: Parameters<Graph['query']>[1] = {},
    ) {
      const response = await app.fetch('http://statline.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query: text, variables, extensions, operationName }),
      })
      return (await response.json()) as Answer<Data>
    },
  }
}

/** Stands between the graph and the service: passes a request on, answers it, or changes the answer. */
export type Between = (request: Outgoing, service: Transport) => Promise<Incoming>

export interface Sample {
  readonly url: string
  /** A key that may do all, whatever league the service is over. */
  readonly apiKey: string
  readonly transport: Transport
  /** A graph over the sample league with nothing kept yet. */
  graph(options?: GraphOptions & { readonly between?: Between }): Graph
  /**
   * The rows of an answer, read directly from the service with a key that may do everything. The graph is
   * compared with them.
   */
  rows(operation: string, given?: Arguments): Promise<Json[]>
  /** Tokens that the service has billed to a sample key this month, by its own account. */
  billed(key: string): Promise<number>
  /** The one row of an answer. */
  row(operation: string, given?: Arguments): Promise<Json>
  close(): Promise<void>
}

const standing = () => sampleNow

/** The ids of the teams that play on the day of the tests: the home team and the away team of each game. */
export async function teamsOfToday(sample: Sample): Promise<string[]> {
  const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  return games.flatMap((game) => [String(game['home_team_id']), String(game['away_team_id'])])
}

/**
 * The statistics service over the sample league, or the league of a folder, at the moment of the tests, on a
 * port of its own.
 */
export async function startSample(folder: string = inject('sampleFolder')): Promise<Sample> {
  const accounts = ':memory:'
  const database = await openDatabase(folder, accounts)
  await addSampleKeys(database.accounts, standing)
  const { key: apiKey } = await addKey(database.accounts, standing, 'paid')
  const service = await startService({ database, clock: standing })
  const transport = httpTransport(service.url)
  const client = clientOf(service.url, apiKey)
  const row = async (operation: string, given: Arguments = {}) => (await client.post(operation, given)).body
  return {
    url: service.url,
    apiKey,
    transport,
    graph: ({ between, ...options } = {}) =>
      graphOver(between ? (request) => between(request, transport) : transport, options),
    row,
    async billed(name) {
      const keys = await listKeys(database.accounts, new Date(sampleNow).toISOString().slice(0, 7))
      return Number(keys.find((one) => one.name === name)?.tokens ?? 0)
    },
    // Rows keyed by id: the values are rows.
    rows: async (operation, given) => Object.values(await row(operation, given)) as Json[],
    async close() {
      await transport.close?.()
      await service.close()
      await database.close()
    },
  }
}
