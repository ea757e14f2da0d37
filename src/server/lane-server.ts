import type { DocumentNode, ExecutionResult, GraphQLError } from 'graphql'
import type { Context } from '../graph/builder.ts'
import { schema } from '../graph/schema.ts'
import type { Scope } from '../graph/scope.ts'
import { Request } from '../upstream/request.ts'
import type { Upstream } from '../upstream/world.ts'
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
export interface LaneParts {
  readonly upstream: Upstream
  /** The key that every call is sent with; null where each client brings its own. */
  readonly apiKey: string | null
  readonly defaults: Scope
  readonly origins: Origins
  readonly isOurHost: (host: string) => boolean
  readonly findText: FindText
  readonly documentOf: (text: string) => DocumentNode | undefined
  readonly metrics: OperationMetrics
}

/** Answers queries of the lane by the same rules as the plugins do. */
export function laneServer(parts: LaneParts): LaneServer {
  const { upstream, apiKey, defaults, origins, isOurHost, metrics } = parts
  return {
    isAllowed: ({ host, origin, ...headers }) => {
      if (host !== undefined && !isOurHost(host)) return false
      return origin === undefined
        ? headers['sec-fetch-site'] !== 'cross-site'
        : isAllowedOrigin(origin, host ?? null, origins)
    },
    textOf: (params) => parts.findText(params),
    documentOf: parts.documentOf,
    contextOf: (headers) => {
      const given = headers['x-api-key']
      const key = apiKey ?? (typeof given === 'string' ? given.trim() : '')
      return { client: new Request(upstream.worldOf(key)), defaults }
    },
    execute: (query, context) => execute(query, context, metrics),
    headersOf: ({ headers: { origin } }, { client }, result) => ({
      vary: apiKey === null ? 'Origin, X-API-KEY' : 'Origin',
      ...(origin !== undefined && sharedWith(origin)),
      'cache-control': cacheControl(client, result, apiKey !== null),
    }),
  }
}

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
