import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Context, ContextManager } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { listen } from '../../src/server/listen.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import { fakedTimers, until } from '../client/living.ts'
import { basketball, graphOver, startSample } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { scores, startLiving } from './living.ts'
import type { Living } from './living.ts'

const contexts = new AsyncLocalStorage<Context>()
const asyncContexts: ContextManager = {
  active: () => contexts.getStore() ?? ROOT_CONTEXT,
  with: (active, run, self, ...args) => contexts.run(active, () => run.apply(self, args)),
  bind: (_active, target) => target,
  enable: () => asyncContexts,
  disable: () => asyncContexts,
}

const exporter = new InMemorySpanExporter()
let sample: Sample
let living: Living

beforeAll(async () => {
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(asyncContexts)
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  sample = await startSample()
})
afterAll(async () => {
  trace.disable()
  context.disable()
  propagation.disable()
  await sample.close()
})
beforeEach(async () => {
  vi.useFakeTimers(fakedTimers)
  living = await startLiving(sample)
  exporter.reset()
})
afterEach(async () => {
  vi.useRealTimers()
  await living.close()
})

const spans = () => exporter.getFinishedSpans()
const named = (name: string) => spans().filter((span) => span.name === name)
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId
const linksOf = ({ links }: ReadableSpan) => links.map((link) => link.context.spanId)
const childrenOf = (parent: ReadableSpan) =>
  spans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === idOf(parent))

const [traceId, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
const arriving = { traceparent: `00-${traceId}-${parent}-01` }
const over = '{ league { games(date: "2026-02-12") { homeScore homeTeam { name } } } }'

describe('a query', () => {
  test('is a span of the trace that it arrived in, and holds one for each upstream call; no value and no key is in them', async () => {
    await (await living.query(`query Day ${over}`, arriving)).json()
    expect(spans().map(({ name }) => name)).toEqual(['upstream game/getGames', 'query'])
    const [call, query] = spans()
    expect(query?.kind).toBe(SpanKind.SERVER)
    expect(query?.attributes).toEqual({ 'graphql.operation.type': 'query', 'graphql.operation.name': 'Day' })
    expect(query?.parentSpanContext?.spanId).toBe(parent)
    expect(call?.parentSpanContext?.spanId).toBe(idOf(query))
    expect(spans().map((span) => span.spanContext().traceId)).toEqual([traceId, traceId])
    expect(call?.kind).toBe(SpanKind.CLIENT)
    const { tokens, bytes } = living.graph.upstream.ledgers.totals()
    expect(call?.attributes).toEqual({
      'statline.operation': 'game/getGames',
      'statline.arguments': ['organization_id', 'division_id', 'start_date'],
      'statline.ids': 1,
      'statline.field': 'League.games',
      'statline.tokens': tokens,
      'statline.bytes': bytes,
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(sample.url).port),
      'http.request.method': 'GET',
      'http.response.status_code': 200,
    })
    expect(living.graph.calls.take()).toEqual(['game/getGames 1'])
  })

  test('whose call fails says so, how often it was tried, and not where', async () => {
    living.between(async () => ({ status: 503, headers: {}, body: '', bytes: 0 }))
    const answered = living.query('{ organizations { name } }').then((response) => response.json())
    expect(await answered).toMatchObject({ errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }] })
    expect(living.graph.calls.sent).toHaveLength(3)
    const [call, query] = spans()
    expect(call?.status).toMatchObject({ code: SpanStatusCode.ERROR, message: expect.any(String) })
    expect(call?.status.message).not.toMatch(/127|localhost|http/)
    expect(call?.attributes).toMatchObject({
      'error.type': 'UPSTREAM_UNAVAILABLE',
      'http.request.resend_count': 2,
    })
    expect(query?.status.code).toBe(SpanStatusCode.ERROR)
  })
})

describe('the trace goes on at the service', () => {
  const received: IncomingHttpHeaders[] = []
  const service = createServer(({ headers }, response) => {
    received.push(headers)
    response.setHeader('x-request-usage', '1').end('{}')
  })
  const ask = async () => {
    const server = await listen(
      (_request, response) => service.emit('request', _request, response),
      '127.0.0.1',
      0,
    )
    const transport = httpTransport(`${server.url}/v1`)
    const { upstream } = graphOver(transport)
    const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball })
    await (
      await app.fetch('http://statline.test/graphql?query={organizations{name}}', {
        headers: { accept: 'application/json', ...arriving },
      })
    ).json()
    await transport.close?.()
    await server.close()
  }

  test('under the span of the call', async () => {
    await ask()
    const [call] = named('upstream organization/read')
    expect(received.at(-1)?.['traceparent']).toBe(`00-${traceId}-${idOf(call)}-01`)
  })

  test('unless an instrumentation of undici sees to that, for two such headers are none', async () => {
    const seen = () => {}
    subscribe('undici:request:create', seen)
    await ask()
    unsubscribe('undici:request:create', seen)
    expect(received.at(-1)).not.toHaveProperty('traceparent')
  })
})

describe('a subscription', () => {
  const live = scores.replace('gameId', 'gameId homeTeam { name }')

  test('is a short span of the trace that it arrived in, to which each poll and each event is linked', async () => {
    const subscriber = await living.subscribe(live, arriving)
    await until(() => subscriber.events.length > 0)
    await living.pass(16_000)
    await until(() => named('poll').length === 2)
    const [subscription] = named('subscription')
    expect(subscription?.parentSpanContext?.spanId).toBe(parent)
    expect(subscription?.kind).toBe(SpanKind.SERVER)
    const attributes = { 'graphql.operation.type': 'subscription', 'graphql.operation.name': 'Live' }
    expect(subscription?.attributes).toEqual(attributes)
    expect(named('event')).toHaveLength(subscriber.events.length)
    const parts = [...named('poll'), ...named('event')]
    expect(parts.map(linksOf)).toEqual(parts.map(() => [idOf(subscription)]))
    expect(parts.filter(({ parentSpanContext }) => parentSpanContext)).toEqual([])
    expect(new Set(parts.map((span) => span.spanContext().traceId)).size).toBe(parts.length)
    for (const part of parts) expect(part.attributes).toMatchObject(attributes)
    subscriber.leave()
  })

  test('has each of its calls in the poll or the event that made it', async () => {
    const subscriber = await living.subscribe(live)
    await until(() => subscriber.events.length > 0)
    await living.pass(16_000)
    await until(() => named('poll').length === 2)
    const called = [...named('poll'), ...named('event')].map((span) =>
      childrenOf(span).map(({ name }) => name),
    )
    expect(called.flat().toSorted()).toEqual(
      living.graph.calls.sent.map(({ operation }) => `upstream ${operation}`).toSorted(),
    )
    const [first, second] = named('poll')
    expect(first && childrenOf(first).length).toBeGreaterThan(0)
    expect(second && childrenOf(second).map(({ name }) => name)).toEqual(['upstream game/getScores'])
    subscriber.leave()
  })

  test('whose poll fails says so in the span of that poll alone', async () => {
    const subscriber = await living.subscribe()
    await until(() => subscriber.events.length > 0)
    living.between(async () => ({ status: 200, headers: {}, body: '<html>', bytes: 6 }))
    await living.pass(16_000)
    await until(() => named('poll').length === 2)
    const failed = spans().filter(({ status }) => status.code === SpanStatusCode.ERROR)
    const calls = failed.filter(({ name }) => name.startsWith('upstream'))
    expect(calls.length).toBeGreaterThan(0)
    expect(failed.filter(({ name }) => name === 'poll').map(idOf)).toEqual([idOf(named('poll')[1])])
    expect(named('event').filter(({ status }) => status.code === SpanStatusCode.ERROR)).toEqual([])
    subscriber.leave()
  })
})
