import { connect } from 'node:net'
import { createClient } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { scores, startLiving } from './living.ts'
import type { Living, Subscriber } from './living.ts'

let sample: Sample
let living: Living
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())
afterEach(() => living.close())

const tooManyCode = 'TOO_MANY_SUBSCRIPTIONS'
const tooMany = { extensions: { code: tooManyCode } }

async function isOpen(subscriber: Subscriber): Promise<boolean> {
  await expect.poll(() => subscriber.events.length).toBeGreaterThan(0)
  return !subscriber.events[0]?.errors
}

const opened = async (count: number, headers?: Record<string, string>) =>
  Promise.all(Array.from({ length: count }, () => living.subscribe(scores, headers)))

async function active(): Promise<number> {
  const text = await (await fetch(`${living.url}/metrics`)).text()
  return Number(/^statline_subscriptions_active (\d+)/m.exec(text)?.[1])
}

test('one client may have so many subscriptions, and one more is refused before it costs anything', async () => {
  living = await startLiving(sample, { subscriptionLimits: { perClient: 3, inTotal: 10 } })
  const subscribers = await opened(3)
  expect(await Promise.all(subscribers.map(isOpen))).toEqual([true, true, true])
  living.graph.calls.take()
  const refused = await living.query(`subscription { scores(date: "2026-02-13") { gameId } }`, {
    accept: 'text/event-stream',
  })
  expect(refused.status).toBe(429)
  const text = await refused.text()
  expect(text).toContain('TOO_MANY_SUBSCRIPTIONS')
  expect(text).toMatch(/event: complete/)
  expect(living.graph.calls.take()).toEqual([])
  expect(
    await (await living.query(`{ league { games(date: "${today}") { gameId } } }`)).json(),
  ).not.toHaveProperty('errors')
  subscribers[0]?.leave()
  await expect.poll(active).toBe(2)
  expect(await isOpen(await living.subscribe())).toBe(true)
})

const paid = { 'x-api-key': 'sample-paid' }
const trial = { 'x-api-key': 'sample-trial' }

test('all clients together may have so many, and each of them its own share', async () => {
  living = await startLiving(sample, {
    apiKey: null,
    subscriptionLimits: { perClient: 2, inTotal: 3 },
    trustedProxies: ['127.0.0.1'],
  })
  const first = { ...paid, 'x-forwarded-for': '203.0.113.1' }
  const second = { ...trial, 'x-forwarded-for': '203.0.113.2' }
  for (const subscriber of await opened(2, first)) expect(await isOpen(subscriber)).toBe(true)
  const [third] = await opened(1, { ...paid, 'x-forwarded-for': '203.0.113.3' })
  await expect.poll(() => third?.events[0]?.errors).toMatchObject([tooMany])
  const [last] = await opened(1, second)
  await expect.poll(active).toBe(3)
  const [fourth] = await opened(1, second)
  await expect.poll(() => fourth?.events[0]?.errors).toMatchObject([tooMany])
  last?.leave()
})

describe('where clients bring their own keys, an address with two keys', () => {
  const limits = { perClient: 2, inTotal: 10 }
  const query = 'subscription { scores(date: "2026-02-13") { gameId } }'

  test('may have as many subscriptions as with one, and one more costs nothing', async () => {
    living = await startLiving(sample, { apiKey: null, subscriptionLimits: limits })
    const [first, second] = [...(await opened(1, paid)), ...(await opened(1, trial))]
    for (const one of [first, second]) expect(one && (await isOpen(one))).toBe(true)
    living.graph.calls.take()
    for (const key of [paid, trial]) {
      const refused = await living.query(query, { accept: 'text/event-stream', ...key })
      expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining(tooManyCode)])
    }
    expect(living.graph.calls.take()).toEqual([])
    first?.leave()
    await expect.poll(active).toBe(1)
    const [third] = await opened(1, trial)
    expect(third && (await isOpen(third))).toBe(true)
  })

  test('is two addresses behind a proxy that is trusted, if the proxy says so', async () => {
    const options = { apiKey: null, subscriptionLimits: { perClient: 1, inTotal: 10 } }
    living = await startLiving(sample, { ...options, trustedProxies: ['127.0.0.1'] })
    const from = (key: typeof paid, address: string) => ({ ...key, 'x-forwarded-for': address })
    const [one] = await opened(1, from(paid, '203.0.113.1'))
    expect(one && (await isOpen(one))).toBe(true)
    const [again] = await opened(1, from(trial, '203.0.113.1'))
    await expect.poll(() => again?.events[0]?.errors).toMatchObject([tooMany])
    const [other] = await opened(1, from(trial, '203.0.113.2'))
    expect(other && (await isOpen(other))).toBe(true)
  })
})

test('clients that vanish at any moment leave nothing open', async () => {
  living = await startLiving(sample, { subscriptionLimits: { perClient: 500, inTotal: 500 } })
  const body = JSON.stringify({ query: scores })
  const head = `POST /graphql HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  await Promise.all(
    Array.from({ length: 300 }, async (_, nth) => {
      const socket = connect(Number(new URL(living.url).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(head + body)
      await new Promise((resolve) => setTimeout(resolve, nth))
      socket.destroy()
    }),
  )
  await expect.poll(active).toBe(0)
  const subscribers = await opened(3)
  expect(await Promise.all(subscribers.map(isOpen))).toEqual([true, true, true])
  for (const subscriber of subscribers) subscriber.leave()
  await expect.poll(active).toBe(0)
})

describe('behind a proxy', () => {
  const by = (...addresses: readonly string[]) => ({ 'x-forwarded-for': addresses.join(', ') })
  const limits = { perClient: 1, inTotal: 10 }
  const isRefused = async (headers: Record<string, string>) => {
    const [one] = await opened(1, headers)
    return one ? !(await isOpen(one)) : null
  }

  test('that is trusted, each client has its own share, whatever it says of itself', async () => {
    living = await startLiving(sample, {
      subscriptionLimits: limits,
      trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
    })
    expect(await isRefused(by('203.0.113.1'))).toBe(false)
    expect(await isRefused(by('203.0.113.2'))).toBe(false)
    expect(await isRefused(by('203.0.113.1'))).toBe(true)
    // What the client has sent stands before the address that the proxy adds; a second proxy is passed over.
    expect(await isRefused(by('198.51.100.7', '203.0.113.1'))).toBe(true)
    expect(await isRefused(by('198.51.100.7', '203.0.113.1', '10.1.2.3'))).toBe(true)
    expect(await isRefused(by('::ffff:203.0.113.1'))).toBe(true)
    expect(await isRefused(by('2001:db8::1'))).toBe(false)
    expect(await isRefused(by('[2001:db8::1]:443'))).toBe(true)
  })

  test('that is not trusted, the header counts for nothing', async () => {
    living = await startLiving(sample, { subscriptionLimits: limits, trustedProxies: ['10.0.0.0/8'] })
    expect(await isRefused(by('203.0.113.1'))).toBe(false)
    expect(await isRefused(by('203.0.113.2'))).toBe(true)
  })
})

test('one connection may have so many subscriptions, of those of its client', async () => {
  living = await startLiving(sample, { subscriptionLimits: { perClient: 10, inTotal: 10, perConnection: 2 } })
  const client = createClient({
    url: `${living.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
  })
  const told: unknown[] = []
  const follow = () =>
    new Promise<unknown>((resolve) => {
      const told = (event: unknown) => resolve((event as { errors?: unknown }).errors)
      client.subscribe({ query: scores }, { next: told, error: resolve, complete: () => {} })
    })
  for (let nth = 0; nth < 3; nth += 1) told.push(await follow())
  expect(told).toMatchObject([undefined, undefined, [tooMany]])
  const [other] = await opened(1)
  expect(other && (await isOpen(other))).toBe(true)
  await client.dispose()
})

describe('a subscription with more than 16 kB of variables and extensions', () => {
  const query = `subscription S($code: String) { scores(code: $code, date: "${today}") { gameId } }`
  const long = { query, variables: { code: 'x'.repeat(16_384) } }

  test('is refused before it costs anything, over server-sent events', async () => {
    living = await startLiving(sample)
    const ask = () =>
      fetch(`${living.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(long),
      })
    // The first goes through Yoga, which validates the document.
    for (let times = 0; times < 2; times += 1) {
      const answer = await ask()
      expect(answer.status).toBe(400)
      expect(await answer.text()).toMatch(/16384 characters.*BAD_USER_INPUT/)
    }
    expect(living.graph.calls.take()).toEqual([])
  })

  test('is refused before it costs anything, over a WebSocket', async () => {
    living = await startLiving(sample)
    const client = createClient({
      url: `${living.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
    })
    const come = await new Promise((error) =>
      client.subscribe(long, { next: error, error, complete: () => error('complete') }),
    )
    expect(come).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    expect(living.graph.calls.take()).toEqual([])
    await client.dispose()
  })
})
