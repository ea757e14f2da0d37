import { connect } from 'node:http2'
import { once } from 'node:events'
import { createServer, request as plainRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import type { RequestOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createClient } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../../free-port.ts'
import { startSample, today } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
import { startLiving } from '../../server/living.ts'
import type { Living } from '../../server/living.ts'
import { hasRedis, withoutRedis } from '../../store/redis/redis-server.ts'
import { startFleet } from '../rolling/fleet.ts'
import type { Fleet } from '../rolling/fleet.ts'
import { documentedVariables, hasNginx, startNginx, withoutNginx } from './nginx.ts'
import type { Nginx } from './nginx.ts'

const scores = `{ league { games(date: "${today}") { gameId homeScore } } }`
const live = `subscription Live { scores(date: "${today}") { gameId homeScore } }`

/** Clients bring their own keys, which shows whether nginx passes them on. */
const usual = { host: 'stats.example.com', 'content-type': 'application/json', 'x-api-key': 'sample-paid' }

/** An https request to nginx. */
function sendTo(port: number, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise((is, failed) => {
    request({ host: '127.0.0.1', port, method, rejectUnauthorized: false, ...options }, is)
      .once('error', failed)
      .end(body)
  })
}

interface Answered {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

describe.skipIf(!hasNginx || !hasRedis)(
  `two instances behind nginx, as documented${withoutNginx}${withoutRedis}`,
  () => {
    let fleet: Fleet
    let nginx: Nginx
    const adminPorts: number[] = []
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })

    beforeAll(async () => {
      adminPorts.push(await freePort(), await freePort())
      const documented = documentedVariables()
      fleet = await startFleet((at) => ({
        ...documented,
        UPSTREAM_API_KEY: '',
        ADMIN_PORT: String(adminPorts[at]),
        // The default. nginx is not told that an instance ends, and no query may fail.
        DRAIN_SECONDS: '2',
      }))
      nginx = await startNginx(fleet.ports)
    })
    afterAll(async () => {
      agent.destroy()
      await nginx?.close()
      await fleet?.close()
    })

    const send = (path: string, headers: Record<string, string> = {}, body?: string) =>
      sendTo(nginx.port, { path, agent, headers: { ...usual, ...headers } }, body)

    async function ask(path: string, headers: Record<string, string> = {}, body?: string): Promise<Answered> {
      const response = await send(path, headers, body)
      let text = ''
      for await (const chunk of response) text += String(chunk)
      return { status: response.statusCode, headers: response.headers, text }
    }

    const query = (text: string, headers?: Record<string, string>) =>
      ask('/graphql', headers, JSON.stringify({ query: text }))

    test('a query is answered, with the names of its client and of its request', async () => {
      const { status, headers, text } = await query(scores, { 'graphql-client-name': 'behind nginx' })
      expect([status, text]).toEqual([200, expect.stringContaining('"homeScore"')])
      expect(headers['x-request-id']).toMatch(/^[\da-f]{32}$/)
      const bills = adminPorts.map((port) => fetch(`http://127.0.0.1:${port}/usage?by=client`))
      const clients = await Promise.all(bills.map(async (bill) => (await (await bill).json()) as object[]))
      expect(clients.flat()).toContainEqual(expect.objectContaining({ client: 'behind nginx' }))
    })

    test('the client’s key is passed on', async () => {
      for (const key of ['made-up', ''])
        expect((await query(scores, { 'x-api-key': key })).text).toContain('UNAUTHENTICATED')
    })

    test('a query is answered over HTTP/2', async () => {
      const session = connect(`https://127.0.0.1:${nginx.port}`, { rejectUnauthorized: false })
      const { host, ...headers } = usual
      const stream = session.request({
        ':method': 'POST',
        ':path': '/graphql',
        ':authority': host,
        ...headers,
      })
      stream.end(JSON.stringify({ query: scores }))
      let text = ''
      for await (const chunk of stream) text += String(chunk)
      session.close()
      expect(text).toContain('"homeScore"')
    })

    test('answers are compressed', async () => {
      const page = scores.replace('homeScore', 'homeScore awayScore clock status homeTeam { name }')
      const { headers } = await query(page, { 'accept-encoding': 'gzip' })
      expect(headers['content-encoding']).toBe('gzip')
    })

    test('a page and its assets are served', async () => {
      const { status, text } = await ask('/', { accept: 'text/html' })
      expect([status, text]).toEqual([200, expect.stringContaining('<!doctype html>')])
    })

    test('what only operators may see is not reachable', async () => {
      for (const path of ['/metrics', '/usage', '/usage?by=client']) {
        expect([path, (await ask(path)).status]).toEqual([path, 404])
        expect((await fetch(`http://127.0.0.1:${adminPorts[0]}${path}`)).status).toBe(200)
      }
    })

    test('an event of a subscription arrives as soon as it is sent', async () => {
      fleet.score(111)
      const accept = { accept: 'text/event-stream', 'accept-encoding': 'gzip' }
      const events = await send('/graphql', accept, JSON.stringify({ query: live }))
      expect(events.statusCode).toBe(200)
      let text = ''
      events.on('data', (chunk) => (text += String(chunk))).on('error', () => {})
      await expect.poll(() => text).toContain(`{"gameId":"${fleet.game}","homeScore":111}`)
      fleet.score(112)
      await expect.poll(() => text).toContain(`{"gameId":"${fleet.game}","homeScore":112}`)
      events.destroy()
    })

    test('a WebSocket is passed on', async () => {
      const client = createClient({
        url: `wss://127.0.0.1:${nginx.port}/graphql`,
        webSocketImpl: class extends WebSocket {
          constructor(url: string, protocols: string[]) {
            super(url, protocols, { rejectUnauthorized: false, headers: usual })
          }
        },
      })
      const seen: unknown[] = []
      const end = client.subscribe(
        { query: live },
        { next: ({ data }) => seen.push(data), error: (error) => seen.push(error), complete: () => {} },
      )
      fleet.score(113)
      await expect.poll(() => seen).toContainEqual({ scores: { gameId: fleet.game, homeScore: 113 } })
      end()
      await client.dispose()
    })

    test('no query fails while both instances are replaced, one right after the other', async () => {
      const failed: unknown[] = []
      const traffic = { isOver: false, answered: 0 }
      const keepAsking = async () => {
        while (!traffic.isOver) {
          const { status, text } = await query(scores).catch((error: unknown) => ({
            status: 0,
            text: String(error),
          }))
          if (status === 200 && text.includes('"homeScore"') && !text.includes('"errors"'))
            traffic.answered += 1
          else failed.push([status, text.slice(0, 200)])
        }
      }
      const asking = Promise.all(Array.from({ length: 8 }, keepAsking))
      const ends = [await fleet.restart(0), await fleet.restart(1), await fleet.restart(0)]
      traffic.isOver = true
      await asking
      expect([failed.length, failed.slice(0, 3)], nginx.errors().slice(-2_000)).toEqual([0, []])
      expect(ends).toEqual([0, 0, 0])
      expect(traffic.answered).toBeGreaterThan(100)
    })
  },
)

describe.skipIf(!hasNginx)(`visitors of an instance that trusts nginx, as documented${withoutNginx}`, () => {
  let sample: Sample
  let living: Living
  let nginx: Nginx
  const held: IncomingMessage[] = []

  beforeAll(async () => {
    sample = await startSample()
    living = await startLiving(sample, {
      subscriptionLimits: { perClient: 1, inTotal: 10 },
      trustedProxies: [documentedVariables()['TRUSTED_PROXIES'] ?? ''],
    })
    const port = Number(new URL(living.url).port)
    nginx = await startNginx([port, port])
  })
  afterAll(async () => {
    await nginx?.close()
    await living?.close()
    await sample?.close()
  })
  afterEach(async () => {
    for (const one of held.splice(0)) one.destroy()
    await expect.poll(async () => await (await fetch(`${living.url}/metrics`)).text()).toMatch(none)
  })
  const none = /^statline_subscriptions_active 0$/m

  const body = JSON.stringify({ query: live })
  const headersWith = (forged: string) => ({
    ...usual,
    accept: 'text/event-stream',
    ...(forged && { 'x-forwarded-for': forged }),
  })

  /** The status that a visitor from this address of this machine gets for a subscription. */
  async function statusFor(localAddress: string, forged = ''): Promise<number | undefined> {
    const options = { path: '/graphql', localAddress, headers: headersWith(forged) }
    const events = await sendTo(nginx.port, options, body)
    held.push(events.on('error', () => {}))
    return events.statusCode
  }

  /** The same of a visitor who passes nginx by. */
  async function directStatusFor(localAddress: string, forged: string): Promise<number | undefined> {
    const options = { method: 'POST', localAddress, headers: headersWith(forged) }
    const [events] = (await once(plainRequest(`${living.url}/graphql`, options).end(body), 'response')) as [
      IncomingMessage,
    ] // as the event is documented
    held.push(events.on('error', () => {}))
    return events.statusCode
  }

  test('are counted apart, whatever addresses they claim, and those refused cost nothing', async () => {
    expect([await statusFor('127.0.0.2'), await statusFor('127.0.0.3')]).toEqual([200, 200])
    living.graph.calls.take()
    expect([
      await statusFor('127.0.0.2'),
      await statusFor('127.0.0.2', '203.0.113.1'),
      await statusFor('127.0.0.3', '203.0.113.2, 127.0.0.1'),
    ]).toEqual([429, 429, 429])
    expect(living.graph.calls.take()).toEqual([])
  })

  test('who do not come through nginx have the address of their connection, whatever they claim', async () => {
    expect(await directStatusFor('127.0.0.4', '203.0.113.1')).toBe(200)
    expect(await directStatusFor('127.0.0.4', '203.0.113.2')).toBe(429)
    expect(await statusFor('127.0.0.4', '203.0.113.3')).toBe(429)
  })
})

test.skipIf(!hasNginx)(
  `the first and the second stream of a document arrive event by event, though nginx buffers answers${withoutNginx}`,
  async () => {
    const sample = await startSample()
    const living = await startLiving(sample)
    const port = Number(new URL(living.url).port)
    const nginx = await startNginx([port, port], { 'proxy_buffering off;': '' })
    const headers = { ...usual, accept: 'text/event-stream', 'accept-encoding': 'gzip' }
    const open: IncomingMessage[] = []
    for (const calls of [['game/getScores 1'], []]) {
      const events = await sendTo(nginx.port, { path: '/graphql', headers }, JSON.stringify({ query: live }))
      let text = ''
      open.push(events.on('data', (chunk) => (text += String(chunk))).on('error', () => {}))
      await expect.poll(() => text).toContain('"homeScore"')
      expect(living.graph.calls.take()).toEqual(calls)
      expect(events.headers).not.toHaveProperty('content-encoding')
    }
    for (const events of open) events.destroy()
    await nginx.close()
    await living.close()
    await sample.close()
  },
)

/** Milliseconds after which a query ends its instance here, and after which nginx tries no other one. */
const [endsAfter, triesFor] = [200, 20]

test.skipIf(!hasNginx)(
  `a query that ends its instance is not sent to another one${withoutNginx}`,
  async () => {
    let ended = 0
    const instances = [0, 1].map(() =>
      createServer((query) => {
        ended += 1
        setTimeout(() => query.socket.destroy(), endsAfter)
      }),
    )
    for (const one of instances) await once(one.listen(0, '127.0.0.1'), 'listening')
    const ports = instances.map((one) => (one.address() as AddressInfo).port) // it listens on TCP
    const nginx = await startNginx(ports, {
      'proxy_next_upstream_timeout 2s': `proxy_next_upstream_timeout ${triesFor}ms`,
    })
    const { statusCode } = await sendTo(nginx.port, { path: '/graphql', headers: usual }, '{}')
    await nginx.close()
    for (const one of instances) one.close()
    expect([statusCode, ended]).toEqual([502, 1])
  },
)
