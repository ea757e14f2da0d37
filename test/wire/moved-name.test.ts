import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { httpTransport } from '../../src/wire/transport.ts'
import { sampleNow } from '../sample.setup.ts'
import { graphOver } from '../graph/harness.ts'
import type { Graph } from '../graph/harness.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: sampleNow }))

const closing: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

const body = (name: string) => JSON.stringify({ 1: { organization_id: '1', name, inactive: 0, deleted: 0 } })

/** A machine that answers with its name, and holds its first answer back until `release`. */
async function machine(name: string, host: string, port = 0, held: Promise<void> | null = null) {
  let connections = 0
  const server = createServer((_, response) => {
    const answer = () => response.setHeader('x-request-usage', '1').end(body(name))
    if (held) void held.then(answer)
    else answer()
  })
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => void server.listen(port, host, resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections } // it listens on a port
}

/** A service whose name has one address after another. */
async function movable(held: Promise<void> | null = null) {
  const old = await machine('old', '127.0.0.1', 0, held)
  const next = await machine('new', '127.0.0.2', old.port)
  let address = '127.0.0.1'
  const lookup: LookupFunction = (_name, { all }, callback) =>
    all === true ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4)
  const transport = httpTransport(`http://stats.test:${old.port}`, { lookup })
  closing.push(() => transport.close?.())
  const graph = graphOver(transport, { freshFor: { reference: 0 } })
  return { graph, old, next, move: () => (address = '127.0.0.2') }
}

const after = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000)

async function askedOf(graph: Graph) {
  const { data, errors, extensions } = await graph.query('{ organizations { name } }')
  expect(errors).toBeUndefined()
  expect(extensions.usage).toMatchObject({ tokens: 1, calls: 1 })
  return data
}

test('a name that has moved is followed within two minutes, though the old machine still answers', async () => {
  const { graph, old, next, move } = await movable()
  expect(await askedOf(graph)).toEqual({ organizations: [{ name: 'old' }] })
  move()
  after(60)
  expect(await askedOf(graph)).toEqual({ organizations: [{ name: 'old' }] })
  after(60)
  expect(await askedOf(graph)).toEqual({ organizations: [{ name: 'new' }] })
  expect(await askedOf(graph)).toEqual({ organizations: [{ name: 'new' }] })
  expect([old.connections(), next.connections()]).toEqual([1, 1])
})

test('a call under way on a connection that is too old is answered', async () => {
  let release = () => {}
  const { graph, old, next, move } = await movable(new Promise<void>((resolve) => (release = resolve)))
  const first = askedOf(graph)
  await expect.poll(old.connections).toBe(1)
  move()
  after(121)
  const { extensions } = await graph.query('{ divisions { name } }')
  expect(extensions.usage).toMatchObject({ tokens: 1, calls: 1 })
  release()
  expect(await first).toEqual({ organizations: [{ name: 'old' }] })
  expect([old.connections(), next.connections()]).toEqual([1, 1])
})
