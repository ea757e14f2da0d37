import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createSocketServer } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { certificateFor, hasOpenssl, withoutOpenssl } from '../certificate.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import { sampleNow } from '../sample.setup.ts'
import { graphOver } from '../graph/harness.ts'
import { ports } from './ports.ts'

const certificate = hasOpenssl ? certificateFor('DNS:two.test') : null
afterAll(() => certificate?.remove())

const { closing, listening, unused } = ports()

const body = JSON.stringify({ 1: { organization_id: '1', name: 'One', inactive: 0, deleted: 0 } })
const text = '{ organizations { name } }'

/** A name with two addresses, of which this machine refuses the first. */
const twoAddresses: LookupFunction = (_name, { all }, callback) => {
  if (all !== true) return callback(null, '127.0.0.1', 4)
  callback(null, [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ])
}

function graphAt(url: string, lookup?: LookupFunction, clock = () => sampleNow) {
  const transport = httpTransport(url, lookup && { lookup })
  closing.push(() => transport.close?.())
  return graphOver(transport, { budget: 1_000, clock, freshFor: { reference: 0 } })
}

const cutting = (cut: (socket: Socket) => unknown) => listening(createSocketServer(cut))
const afterHello = (cut: (socket: Socket) => unknown) =>
  cutting((socket) => void socket.once('data', () => cut(socket)))

const free: readonly [what: string, url: () => Promise<string>, lookup?: LookupFunction][] = [
  ['the port is refused at the only address', async () => `http://127.0.0.1:${await unused()}`],
  ['the port is refused at both addresses', async () => `http://two.test:${await unused()}`, twoAddresses],
  [
    'the port is refused at both addresses, in https',
    async () => `https://two.test:${await unused()}`,
    twoAddresses,
  ],
  ['the name is not known', async () => 'http://no-such-host.invalid'],
  [
    'TLS is cut at once',
    async () => `https://two.test:${await cutting((socket) => socket.end())}`,
    twoAddresses,
  ],
  [
    'TLS is reset at once',
    async () => `https://two.test:${await cutting((socket) => socket.resetAndDestroy())}`,
    twoAddresses,
  ],
  [
    'TLS is cut in the handshake',
    async () => `https://two.test:${await afterHello((socket) => socket.end())}`,
    twoAddresses,
  ],
  [
    'TLS is reset in the handshake',
    async () => `https://127.0.0.1:${await afterHello((socket) => socket.resetAndDestroy())}`,
  ],
  [
    'TLS is cut in the middle of the service’s hello',
    async () =>
      `https://127.0.0.1:${await afterHello((socket) => socket.end(Buffer.from([22, 3, 3, 0, 90, 2, 0, 0, 86, 3])))}`,
  ],
]

describe('a call that is never written to a connection', () => {
  test.each(free)('is free where %s, and stops no others', async (_what, url, lookup) => {
    let now = sampleNow
    const graph = graphAt(await url(), lookup, () => now)
    for (let nth = 0; nth < 6; nth += 1) {
      const { errors, extensions } = await graph.query(text)
      expect(errors?.map(({ extensions: { code } = {} }) => code)).toEqual(['UPSTREAM_UNAVAILABLE'])
      expect(extensions.usage).toEqual({ tokens: 0, bytes: 0, calls: 1, cacheHits: 0, remaining: 1_000 })
      now += 2_000
    }
    expect(graph.upstream.ledgers.totals()).toMatchObject({ tokens: 0 })
    expect(graph.upstream.health.breaker.isOpen).toBe(false)
  })

  test.skipIf(!hasOpenssl)(`is free where the certificate is not trusted${withoutOpenssl}`, async () => {
    const port = await listening(createHttpsServer({ ...certificate }, (_, response) => response.end(body)))
    const { extensions } = await graphAt(`https://two.test:${port}`, twoAddresses).query(text)
    expect(extensions.usage).toMatchObject({ tokens: 0, calls: 1 })
  })
})

describe('a name with two addresses', () => {
  test('is reached at the second', async () => {
    const port = await listening(
      createHttpServer((_, response) => response.setHeader('x-request-usage', '1').end(body)),
    )
    const { data, extensions } = await graphAt(`http://two.test:${port}`, twoAddresses).query(text)
    expect(data).toEqual({ organizations: [{ name: 'One' }] })
    expect(extensions.usage).toMatchObject({ tokens: 1, calls: 1 })
  })
})

describe('a call that was written to a connection', () => {
  test.each([
    ['closed', (socket: Socket) => socket.end()],
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
  ])('is booked where that is %s afterwards', async (_what, cut) => {
    const graph = graphAt(`http://two.test:${await afterHello(cut)}`, twoAddresses)
    const { errors, extensions } = await graph.query(text)
    expect(errors?.map(({ extensions: { code } = {} }) => code)).toEqual(['UPSTREAM_UNAVAILABLE'])
    // Three tries of one token.
    expect(extensions.usage).toMatchObject({ tokens: 3, calls: 1, estimated: true, remaining: 997 })
  })
})

describe('a connection that the service closes between two calls', () => {
  test.each([
    ['with a FIN', (socket: Socket) => socket.end()],
    ['with a reset', (socket: Socket) => socket.resetAndDestroy()],
  ])('%s has no call of its own: the next goes over another, once', async (_what, close) => {
    let [requests, connections, closed] = [0, 0, 0]
    const server = createHttpServer((request: IncomingMessage, response: ServerResponse) => {
      requests += 1
      response.setHeader('x-request-usage', '1').setHeader('content-length', body.length)
      response.end(body, () => setImmediate(() => close(request.socket)))
    })
    server.on('connection', (socket: Socket) => {
      connections += 1
      socket.once('close', () => (closed += 1))
    })
    const graph = graphAt(`http://127.0.0.1:${await listening(server)}`)
    for (const nth of [1, 2, 3]) {
      const { data, extensions } = await graph.query(text)
      expect(data).toEqual({ organizations: [{ name: 'One' }] })
      expect(extensions.usage).toMatchObject({ tokens: 1, calls: 1, remaining: 1_000 - nth })
      expect([requests, connections]).toEqual([nth, nth])
      await expect.poll(() => closed).toBe(nth)
    }
  })
})
