import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createSocketServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { certificateFor, hasOpenssl, withoutOpenssl } from '../certificate.ts'
import { upstreamChecks } from '../../src/server/upstream-checks.ts'
import type { Obstacle } from '../../src/wire/obstacle.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import { graphOver } from '../graph/harness.ts'
import { ports } from './ports.ts'

const certificate = hasOpenssl ? certificateFor('IP:127.0.0.1') : null
afterAll(() => certificate?.remove())

const { closing, ...free } = ports()

/** A server's address without the scheme. */
const listening = async (server: Server) => `127.0.0.1:${await free.listening(server)}`
const unused = async () => `127.0.0.1:${await free.unused()}`

const plain = () => listening(createHttpServer((_request, response) => response.end('{}')))
const secure = () =>
  listening(createHttpsServer({ ...certificate }, (_request, response) => response.end('{}')))
const afterFirstBytes = (then: (socket: Socket) => unknown) =>
  listening(createSocketServer((socket) => void socket.once('data', () => then(socket))))

const nginx = () =>
  listening(
    createHttpServer((_request, response) =>
      response
        .writeHead(400, { 'content-type': 'text/html' })
        .end('<title>400 The plain HTTP request was sent to HTTPS port</title><h1>400 Bad Request</h1>'),
    ),
  )

const unreached = ['UPSTREAM_UNAVAILABLE', 'The statistics service cannot be reached.']

interface Case {
  readonly what: string
  readonly url: () => Promise<string>
  /** What `/ready` tells after "It cannot be reached: ". */
  readonly reason: RegExp
  readonly remedy: RegExp
  /** What the client is told. */
  readonly told?: readonly string[]
  /** Tokens and requests: what was sent may have been billed. */
  readonly bill: readonly [tokens: number, calls: number]
  readonly isSkipped?: boolean
}

const cases: readonly Case[] = [
  {
    what: 'a self-signed certificate',
    url: async () => `https://${await secure()}`,
    reason: /^its certificate is self-signed$/,
    remedy: /NODE_EXTRA_CA_CERTS/,
    bill: [0, 1],
    isSkipped: !hasOpenssl,
  },
  {
    what: 'a name that DNS does not know',
    url: async () => 'http://no-such-host.invalid',
    reason: /DNS/,
    remedy: /DNS servers/,
    bill: [0, 1],
  },
  {
    what: 'a port where nothing listens',
    url: async () => `http://${await unused()}`,
    reason: /^nothing listens at its port$/,
    remedy: /port in UPSTREAM_URL/,
    bill: [0, 1],
  },
  {
    what: 'a port that speaks http and is asked in https',
    url: async () => `https://${await plain()}`,
    reason: /^its port does not speak TLS$/,
    remedy: /http:\/\/ is meant/,
    bill: [0, 1],
  },
  {
    what: 'a port that speaks https and is asked in http',
    url: async () => `http://${await secure()}`,
    reason: /^it closes the connection before it answers$/,
    remedy: /UPSTREAM_URL must begin with https:\/\//,
    bill: [3, 1],
    isSkipped: !hasOpenssl,
  },
  {
    what: 'nginx, at a port for https that is asked in http',
    url: async () => `http://${await nginx()}`,
    reason: /^it speaks https at this port/,
    remedy: /UPSTREAM_URL must begin with https:\/\//,
    told: ['UPSTREAM_ERROR', 'The statistics service answered with an error.'],
    bill: [0, 1],
  },
  {
    what: 'a connection that is closed before TLS is agreed on',
    url: async () => `https://${await afterFirstBytes((socket) => socket.end())}`,
    reason: /^it closes the connection before TLS is agreed on$/,
    remedy: /firewall/,
    bill: [0, 1],
  },
  {
    what: 'a connection that is reset before TLS is agreed on',
    url: async () => `https://${await afterFirstBytes((socket) => socket.resetAndDestroy())}`,
    reason: /^it closes the connection before TLS is agreed on$/,
    remedy: /firewall/,
    bill: [0, 1],
  },
  {
    what: 'a refusal of TLS',
    url: async () =>
      `https://${await afterFirstBytes((socket) => socket.end(Buffer.from([21, 3, 1, 0, 2, 2, 40])))}`,
    reason: /^TLS with it fails \(ERR_SSL_[A-Z\d_]*HANDSHAKE_FAILURE\)$/,
    remedy: /versions and certificates/,
    bill: [0, 1],
  },
  {
    what: 'a port that speaks another protocol',
    url: async () => `http://${await afterFirstBytes((socket) => socket.end('220 mail.test ESMTP\r\n'))}`,
    reason: /^its answer is not valid HTTP$/,
    remedy: /UPSTREAM_URL/,
    told: ['UPSTREAM_ERROR', 'The statistics service sent an answer that is not valid HTTP.'],
    bill: [1, 1],
  },
]

for (const { what, isSkipped = false, ...one } of cases)
  test.skipIf(isSkipped)(
    `tells operators of ${what}, and clients nothing of it${isSkipped ? withoutOpenssl : ''}`,
    async () => {
      const url = await one.url()
      const transport = httpTransport(`${url}/v1`)
      closing.push(() => transport.close?.())
      const graph = graphOver(transport)
      const heard: Obstacle[] = []
      graph.upstream.health.onObstacle((obstacle) => heard.push(obstacle))

      const { errors, extensions } = await graph.query('{ organizations { name } }')
      expect(errors?.map(({ message, extensions: { code } = {} }) => [code, message])).toEqual([
        one.told ?? unreached,
      ])
      const [tokens, calls] = one.bill
      expect(extensions.usage).toMatchObject({ tokens, calls, bytes: expect.any(Number) })

      expect(heard.length).toBeGreaterThan(0)
      for (const { reason, remedy } of heard) {
        expect(reason).toMatch(one.reason)
        expect(remedy).toMatch(one.remedy)
        expect(reason + remedy).not.toContain(new URL(url).hostname)
      }
      const { parts } = upstreamChecks(graph.upstream, 'sample-paid').readiness
      expect(parts['service']).toEqual({
        status: 'degraded',
        reason: `It cannot be reached: ${heard[0]?.reason} (since 2026-02-14T20:00:00.000Z).`,
      })
    },
  )
