import type { DocumentNode, ExecutionResult, GraphQLError } from 'graphql'
import type { Context } from '../graph/builder.ts'
import { schema } from '../graph/schema.ts'
import type { Scope } from '../graph/scope.ts'
import { requestOf } from './caller.ts'
import type { Billing } from './caller.ts'
import type { FindText } from './documents.ts'
import { maskError } from './errors.ts'
import { executeAny } from './execution.ts'
import { cacheControl } from './freshness.ts'
import type { LaneServer, PlainQuery } from './lane.ts'
import { outcomeOf } from './metrics.ts'
import type { OperationMetrics } from './metrics.ts'
import { isAllowedOrigin, sharedWith } from './origins.ts'
import type { Origins } from './origins.ts'
import { traced } from './trace.ts'
import { billed } from './usage.ts'

/** The parts of a server that answer a query, whichever way it came. */
export interface LaneParts extends Billing {
  readonly defaults: Scope
  readonly origins: Origins
  readonly isOurHost: (host: string) => boolean
  readonly findText: FindText
  readonly documentOf: (text: string) => DocumentNode | undefined
  readonly metrics: OperationMetrics
}

/** Answers queries of the lane by the same rules as the plugins do. */
export function laneServer(parts: LaneParts): LaneServer {
  const { apiKey, defaults, origins, isOurHost, metrics } = parts
  return {
    isAllowed: ({ host, origin, ...headers }) => {
      if (host !== undefined && !isOurHost(host)) return false
      return origin === undefined
        ? headers['sec-fetch-site'] !== 'cross-site'
        : isAllowedOrigin(origin, host ?? null, origins)
    },
    textOf: (params) => parts.findText(params),
    documentOf: parts.documentOf,
    contextOf: ({ headers, params }) => {
      const header = (name: string) => single(headers[name])
      return { client: requestOf(parts, header, params.extensions), defaults }
    },
    execute: (query, context) => execute(query, context, metrics),
    headersOf: ({ headers: { origin } }, { client }, result) => ({
      vary: apiKey === null ? 'Origin, X-API-KEY' : 'Origin',
      ...(origin !== undefined && sharedWith(origin)),
      'cache-control': cacheControl(client, result, apiKey !== null),
    }),
  }
}

const single = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)

async function execute(
  { params, document, headers }: PlainQuery,
  context: Context,
  metrics: OperationMetrics,
): Promise<ExecutionResult> {
  const { operationName } = params
  const end = metrics.querySeconds.startTimer()
  const run = traced({ document, operationName }, headers, (args) => executeAny(args))
  const result = await run({
    schema,
    document,
    operationName,
    variableValues: params.variables,
    contextValue: context,
  })
  end()
  metrics.queries.inc(outcomeOf(result))
  const masked = result.errors ? { ...result, errors: result.errors.map(mask) } : result
  await context.client.expected
  return billed(masked, context.client)
}

const mask = (error: GraphQLError) => maskError(error, 'Unexpected error.') as GraphQLError // it makes no other
