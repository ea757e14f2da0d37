import type { Plugin } from 'graphql-yoga'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../graph/builder.ts'
import type { Upstream } from '../upstream/world.ts'
import type { ServerContext } from './app.ts'

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What a process tells Prometheus: queries by outcome and time, and what each operation of the service was asked for and billed. */
function metricsOf(upstream: Upstream) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const spent = new Gauge({
    name: 'statline_month_tokens',
    help: 'Tokens that the service has billed this calendar month (UTC).',
    registers,
    collect() {
      this.set(upstream.ledger.totals().tokens)
    },
  })
  const budget = new Gauge({
    name: 'statline_month_tokens_budget',
    help: 'Tokens that may be spent in the month; absent where there is no bound.',
    registers: upstream.ledger.budget === null ? [] : registers,
    collect() {
      this.set(upstream.ledger.budget ?? 0)
    },
  })
  return {
    registry,
    spent,
    budget,
    queries: new Counter({
      name: 'statline_queries_total',
      help: 'GraphQL operations, by whether any field failed.',
      labelNames: ['outcome'],
      registers,
    }),
    querySeconds: new Histogram({
      name: 'statline_query_duration_seconds',
      help: 'Time that a GraphQL operation took.',
      buckets: seconds,
      registers,
    }),
    calls: new Counter({
      name: 'statline_upstream_calls_total',
      help: 'Needs for an operation of the service, by where the answer came from.',
      labelNames: ['operation', 'source'],
      registers,
    }),
    tokens: new Counter({
      name: 'statline_upstream_tokens_total',
      help: 'Tokens billed, by operation.',
      labelNames: ['operation'],
      registers,
    }),
    bytes: new Counter({
      name: 'statline_upstream_bytes_total',
      help: 'Bytes of answers, by operation.',
      labelNames: ['operation'],
      registers,
    }),
    callSeconds: new Histogram({
      name: 'statline_upstream_call_duration_seconds',
      help: 'Time that a call to the service took, by operation.',
      labelNames: ['operation'],
      buckets: seconds,
      registers,
    }),
  }
}

/** Counts what is executed, and serves the counts at `/metrics` in Prometheus' text format. */
export function useMetrics(upstream: Upstream): Plugin<ServerContext & Partial<Context>> {
  const metrics = metricsOf(upstream)
  return {
    async onRequest({ url, fetchAPI, endResponse }) {
      if (url.pathname !== '/metrics') return
      const headers = { 'content-type': metrics.registry.contentType }
      endResponse(new fetchAPI.Response(await metrics.registry.metrics(), { headers }))
    },
    onExecute({ args }) {
      const end = metrics.querySeconds.startTimer()
      return {
        onExecuteDone({ result }) {
          end()
          if (Symbol.asyncIterator in result) return
          metrics.queries.inc({ outcome: result.errors ? 'error' : 'ok' })
          count(args.contextValue.client)
        },
      }
    },
  }

  function count(client: Context['client'] | undefined): void {
    for (const { operation, source, tokens, bytes, ms } of client?.plan ?? []) {
      metrics.calls.inc({ operation, source })
      if (source !== 'UPSTREAM') continue
      metrics.tokens.inc({ operation }, tokens)
      metrics.bytes.inc({ operation }, bytes)
      metrics.callSeconds.observe({ operation }, ms / 1000)
    }
  }
}
