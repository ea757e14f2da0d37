import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import type { ClientOptions } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { socketOptions } from '../../src/client/socket-options.ts'
import { startSample } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { scores, startLiving } from '../server/living.ts'
import type { Living } from '../server/living.ts'
import { fakedTimers, until } from './living.ts'

/** What the network between the graph and its client does. */
let network: 'works' | 'cuts' | 'is silent' = 'works'
let sample: Sample
let living: Living
let gateway: Server
let url: string
const connections = new Set<Socket>()
const clients: { dispose(): unknown }[] = []

beforeAll(async () => {
  sample = await startSample()
  living = await startLiving(sample)
  gateway = createServer((client) => {
    const graph = connect(Number(new URL(living.url).port), '127.0.0.1')
    for (const [from, to] of [
      [client, graph],
      [graph, client],
    ] as const) {
      connections.add(from)
      from.on('error', () => {})
      from.on('data', (bytes: Buffer) => network === 'works' && to.write(bytes))
      from.on('close', () => to.destroy())
    }
    if (network === 'cuts') client.destroy()
  })
  await new Promise<void>((is) => gateway.listen(0, '127.0.0.1', is))
  url = `ws://127.0.0.1:${(gateway.address() as AddressInfo).port}/graphql` // a server on a port
})
beforeEach(() => void vi.useFakeTimers(fakedTimers))
afterEach(() => {
  vi.useRealTimers()
  for (const client of clients.splice(0)) void client.dispose()
  for (const connection of connections) connection.destroy()
  connections.clear()
  network = 'works'
})
afterAll(async () => {
  gateway.close()
  await living.close()
  await sample.close()
})

/** Follows the day by graphql-ws’s own client. */
function follow(options: Partial<ClientOptions> = {}) {
  const stale: (Date | null)[] = []
  const ended: unknown[] = []
  let events = 0
  const onStale = (date: Date | null) => void stale.push(date)
  const client = createClient({ url, ...socketOptions({ onStale, WebSocket }), ...options })
  clients.push(client)
  const next = () => void (events += 1)
  const sink = {
    next,
    error: (error: unknown) => void ended.push(error),
    complete: () => void ended.push('complete'),
  }
  const leave = client.subscribe({ query: scores }, sink)
  return { stale, ended, leave, events: () => events }
}

/** Lets time go by until a connection has been opened again, which takes real time too. */
async function passUntil(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 30; tries += 1) {
    await living.pass(8_000)
    for (let turns = 0; turns < 2_000 && !isSo(); turns += 1) await wait(5)
    if (isSo()) return
  }
  throw new Error('It has not come about.')
}

const breakDown = () => {
  network = 'cuts'
  for (const connection of connections) connection.destroy()
}

test('graphql-ws comes back after connections that are refused, and says until when the state was current', async () => {
  const one = follow()
  await until(() => one.events() > 0)
  const began = Date.now()
  living.graph.calls.take()
  breakDown()
  await until(() => one.stale.length === 1)
  expect(Math.abs(Number(one.stale[0]) - began)).toBeLessThan(20_000)
  // More often than graphql-ws tries by its defaults.
  for (let tries = 0; tries < 8; tries += 1) await living.pass(8_000)
  expect(one.ended).toEqual([])
  expect(one.stale).toHaveLength(1)
  network = 'works'
  const before = one.events()
  await passUntil(() => one.events() > before)
  expect(one.stale).toEqual([expect.any(Date), null])
  expect(one.ended).toEqual([])
  one.leave()
})

test('by its defaults graphql-ws gives up at the first connection that is cut', async () => {
  const { shouldRetry: _, ...options } = socketOptions({ WebSocket })
  const ended: unknown[] = []
  const client = createClient({ url, ...options })
  clients.push(client)
  network = 'cuts'
  client.subscribe(
    { query: scores },
    { next: () => {}, error: (error) => void ended.push(error), complete: () => {} },
  )
  await until(() => ended.length === 1)
})

test('a network that is lost without a word is noticed after 40 seconds without a message', async () => {
  const one = follow()
  await until(() => one.events() > 0)
  // Pings are answered: nothing is stale while nothing happens.
  for (let pings = 0; pings < 5; pings += 1) await living.pass(12_000)
  expect(one.stale).toEqual([])
  network = 'is silent'
  await living.pass(40_000)
  // `ws` waits another 30 seconds for the other side to close.
  await living.pass(30_000)
  await until(() => one.stale.length === 1)
  // A connection that opens and says nothing is given up too.
  await living.pass(8_000)
  network = 'works'
  await living.pass(10_000)
  await passUntil(() => one.stale.length === 2)
  expect(one.stale).toEqual([expect.any(Date), null])
  one.leave()
})

test('who leaves is told nothing', async () => {
  const one = follow()
  await until(() => one.events() > 0)
  one.leave()
  await until(() => one.ended.length === 1)
  await living.pass(60_000)
  expect(one.stale).toEqual([])
  expect(one.ended).toEqual(['complete'])
})
