import { Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import { noClientBudgets } from '../money/client-budgets.ts'
import { Names } from '../money/names.ts'
import type { PlanEntry } from '../account/plan-entry.ts'
import type { Upstream } from '../account/upstream.ts'
import { seconds } from './metrics.ts'
import { seriesOf } from './series.ts'
import type { Series } from './series.ts'

/**
 * Counts the service's operations and their bills as soon as they are known: of queries, of polls without an
 * event, and for clients that have disconnected.
 */
export function countSpending(upstream: Upstream, registers: Registry[]): void {
  const labelNames = ['operation'] as const
  const counter = (name: string, help: string) => {
    const seriesFor = seriesOf({ name, help, labelNames, registers })
    return byName((operation: string) => seriesFor({ operation }))
  }
  const tokensBilled = counter('statline_upstream_tokens_total', 'Tokens billed, by operation.')
  const bytesBilled = counter('statline_upstream_bytes_total', 'Bytes of answers, by operation.')
  const needs = needsBySource(registers)
  const callSeconds = new Histogram({
    name: 'statline_upstream_call_duration_seconds',
    help: 'Time that a call to the service took, by operation.',
    labelNames,
    buckets: seconds,
    registers,
  })
  upstream.onLine(({ operation, source, tokens, bytes, ms }) => {
    needs(operation, source).inc()
    if (source !== 'UPSTREAM') return
    tokensBilled(operation).inc(tokens)
    bytesBilled(operation).inc(bytes)
    callSeconds.observe({ operation }, ms / 1000)
  })
  countClients(upstream, registers)
  countMonth(upstream, registers)
}

/** Finds the count of needs for an operation by its source. */
function needsBySource(registers: Registry[]): (operation: string, source: PlanEntry['source']) => Series {
  const seriesFor = seriesOf({
    name: 'statline_upstream_calls_total',
    help: 'Answers that were needed from the service, by source. Only those of the source UPSTREAM were called and billed.',
    labelNames: ['operation', 'source'],
    registers,
  })
  const known = byName((operation: string) =>
    byName((source: PlanEntry['source']) => seriesFor({ operation, source })),
  )
  return (operation, source) => known(operation)(source)
}

/** Makes something once for each name. */
function byName<Name extends string, T>(make: (name: Name) => T): (name: Name) => T {
  const known = new Map<Name, T>()
  return (name) => {
    let one = known.get(name)
    if (one === undefined) known.set(name, (one = make(name)))
    return one
  }
}

/** Maximum pairs of client and GraphQL operation with metrics of their own. Clients choose both names. */
const mostPairs = 200

function countClients({ ledgers, settings }: Upstream, registers: Registry[]): void {
  const seriesFor = seriesOf({
    name: 'statline_client_tokens_total',
    help: 'Tokens billed, by client, GraphQL operation and operation of the service; a shared call by the rows used.',
    labelNames: ['client', 'graphql_operation', 'operation'],
    registers,
  })
  const pairs = new Names(mostPairs, settings.clientBudgets ?? noClientBudgets)
  const known = new Map<string, Series>()
  ledgers.books.onSpent((spending) => {
    const { client, operation: graphql_operation } = pairs.of(spending)
    const { service: operation, tokens } = spending
    const name = `${client}\n${graphql_operation}\n${operation}`
    let series = known.get(name)
    if (!series) known.set(name, (series = seriesFor({ client, graphql_operation, operation })))
    series.inc(tokens)
  })
}

function countMonth({ ledgers, health }: Upstream, registers: Registry[]): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge(
    'statline_month_tokens',
    'Tokens that the service has billed to all keys together this calendar month (UTC).',
    () => ledgers.totals().tokens,
  )
  gauge(
    'statline_upstream_paused',
    'Whether calls are not sent, except for one every few seconds, because the service does not answer.',
    () => Number(health.breaker.isOpen),
  )
  const { budget } = ledgers
  if (budget !== null)
    gauge(
      'statline_month_tokens_budget',
      'Tokens that each key may spend in the month; absent where there is no bound.',
      () => budget,
    )
}
