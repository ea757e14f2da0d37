import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import type { GraphQLError } from 'graphql'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../graph/context.ts'
import { mapped } from './mapped-stream.ts'
import { registerProcessMetrics } from './process-metrics.ts'
import { seriesOf } from './series.ts'

/** Buckets of time. */
export const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * GraphQL operations: queries by outcome and time; subscriptions by outcome, how many are under way, and
 * their events.
 */
export function operationMetrics(registers: Registry[]) {
  const byOutcome = (name: string, help: string) => {
    const series = seriesOf({ name, help, labelNames: ['outcome'], registers })
    return { ok: series({ outcome: 'ok' }), error: series({ outcome: 'error' }), series }
  }
  const queries = byOutcome(
    'statline_queries_total',
    'Queries, by whether any field failed, or their client was gone. One that is refused has failed.',
  )
  return {
    queries: { ...queries, closed: queries.series({ outcome: 'closed' }) },
    querySeconds: new Histogram({
      name: 'statline_query_duration_seconds',
      help: 'Time that a query took.',
      buckets: seconds,
      registers,
    }),
    reused: new Counter({
      name: 'statline_queries_reused_total',
      help: 'Queries that were answered with bytes kept of an earlier answer.',
      registers,
    }),
    shed: new Counter({
      name: 'statline_queries_shed_total',
      help: 'Queries that were refused because they would have been answered too late.',
      registers,
    }),
    subscriptions: byOutcome(
      'statline_subscriptions_total',
      'Subscriptions that are over, by how they ended.',
    ),
    inFlight: new Gauge({
      name: 'statline_subscriptions_active',
      help: 'Subscriptions under way.',
      registers,
    }),
    events: byOutcome('statline_subscription_events_total', 'Events, by whether any field failed.'),
  }
}

export type OperationMetrics = ReturnType<typeof operationMetrics>

export const outcomeOf = ({ errors }: { readonly errors?: unknown }) => (errors ? 'error' : 'ok')

/** What fails after the client is gone fails because of that. */
export const outcomeOfQuery = (result: { readonly errors?: unknown }, client?: Context['clientRequest']) =>
  client?.isClosed ? 'closed' : outcomeOf(result)

/** What is read of an operation that was never executed. */
interface Refused {
  readonly errors?: readonly Pick<GraphQLError, 'extensions'>[]
}

/**
 * Counts an operation that was never executed as a failed query. A hash that is not known yet is no failure:
 * its client then sends the text.
 */
export function countRefused({ queries }: OperationMetrics, { errors = [] }: Refused): void {
  if (errors.some(({ extensions }) => extensions['code'] === 'PERSISTED_QUERY_NOT_FOUND')) return
  queries.error.inc()
}

/**
 * Counts operations, and serves a registry at `/metrics` in Prometheus' text format, unless that is served
 * elsewhere.
 */
export function useMetrics(
  registry: Registry,
  metrics: OperationMetrics,
  isServed: boolean,
): Plugin<YogaInitialContext> {
  /** Requests whose operation is counted where it is executed. */
  const counted = new WeakSet<Request>()
  registerProcessMetrics(registry)
  return {
    async onRequest({ url, fetchAPI, endResponse }) {
      if (!isServed || url.pathname !== '/metrics') return
      const headers = { 'content-type': registry.contentType }
      endResponse(new fetchAPI.Response(await registry.metrics(), { headers }))
    },
    onExecute({ args }) {
      const end = metrics.querySeconds.startTimer()
      return {
        onExecuteDone({ result }) {
          end()
          const { request, clientRequest } = args.contextValue as YogaInitialContext & Partial<Context> // as every plugin here is given it
          counted.add(request)
          if (!(Symbol.asyncIterator in result)) metrics.queries[outcomeOfQuery(result, clientRequest)].inc()
        },
      }
    },
    onSubscribe: ({ args }) => ({
      onSubscribeResult({ result, setResult }) {
        counted.add((args.contextValue as YogaInitialContext).request) // Yoga's context of every plugin
        if (!(Symbol.asyncIterator in result)) return metrics.subscriptions[outcomeOf(result)].inc()
        const watcher = {
          onBegin: () => metrics.inFlight.inc(),
          onEnd(error?: unknown) {
            metrics.inFlight.dec()
            metrics.subscriptions[outcomeOf({ errors: error })].inc()
          },
        }
        setResult(
          mapped(
            result,
            (event) => {
              metrics.events[outcomeOf(event)].inc()
              return event
            },
            watcher,
          ),
        )
      },
    }),
    onResultProcess({ request, result }) {
      if (!counted.has(request) && !Array.isArray(result) && !(Symbol.asyncIterator in result))
        countRefused(metrics, result)
    },
  }
}
