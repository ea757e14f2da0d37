import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { httpTransport } from '../../src/wire/transport.ts'
import type { Json } from '../service/client.ts'
import { graphOver } from '../graph/harness.ts'
import { ports } from './ports.ts'

const goesOn = 'HTTP/1.1 100 Continue\r\n\r\n'
const processing = 'HTTP/1.1 102 Processing\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n'
/** A name that a body may begin a chunk with. */
const name = 'HTTP/1.1 100 Continue'

const body = JSON.stringify({ 1: { organization_id: '1', name, inactive: 0, deleted: 0 } })
const answer = `HTTP/1.1 200 OK\r\nx-request-usage: 7\r\ncontent-length: ${body.length}\r\n\r\n${body}`

const { closing, listening } = ports()

/** A graph over a service that answers every request on a connection like this. */
async function over(respond: (socket: Socket) => void, timeoutMs = 60_000) {
  let [requests, connections] = [0, 0]
  const server = createServer((socket) => {
    connections += 1
    socket.on('data', () => {
      requests += 1
      respond(socket)
    })
  })
  const transport = httpTransport(`http://127.0.0.1:${await listening(server)}/v1`)
  closing.push(() => transport.close?.())
  const graph = graphOver(transport, { timeoutMs, freshFor: { reference: 0 } })
  return { graph, counts: () => ({ requests, connections }) }
}

const text = '{ organizations { name } }'

/** Writes each part once the one before has gone out. */
async function inParts(socket: Socket, parts: Iterable<string>): Promise<void> {
  socket.setNoDelay(true)
  for (const part of parts) {
    await new Promise((written) => socket.write(part, written))
    await new Promise(setImmediate)
  }
}

test.each([
  ['one 100', goesOn],
  ['two 100', goesOn.repeat(2)],
  ['a hundred 100', goesOn.repeat(100)],
  ['102, 100, 103 and 100', processing + goesOn + hints + goesOn],
])(
  '%s before an answer are passed over, at once or byte by byte, request after request',
  async (_what, interim) => {
    let nth = 0
    const whole = interim + answer
    const { graph, counts } = await over((socket) => {
      nth += 1
      const isSlow = nth === 2 && whole.length < 1_000
      void inParts(socket, isSlow ? whole : [whole])
    })
    for (const requests of [1, 2, 3]) {
      const { data, errors, extensions } = await graph.query<Json>(text)
      expect({ data, errors }).toEqual({ data: { organizations: [{ name }] }, errors: undefined })
      expect(extensions.usage).toMatchObject({ tokens: 7, calls: 1 })
      expect(counts()).toEqual({ requests, connections: 1 })
    }
  },
)

test('a chunk of a body that looks like a 100 is left as it is', async () => {
  const start = answer.indexOf(name)
  const { graph } = await over(
    (socket) => void inParts(socket, [answer.slice(0, start), answer.slice(start)]),
  )
  const { data } = await graph.query<Json>(text)
  expect(data).toEqual({ organizations: [{ name }] })
})

test('100 without end is given up in time, and its reservation is booked', async () => {
  const { graph, counts } = await over((socket) => {
    const timer = setInterval(() => socket.write(goesOn.repeat(100)), 5)
    socket.once('close', () => clearInterval(timer))
  }, 700)
  const { errors, extensions } = await graph.query<Json>(text)
  expect(errors?.[0]?.extensions?.code).toBe('UPSTREAM_TIMEOUT')
  expect(extensions.usage.tokens).toBeGreaterThan(0)
  expect(graph.upstream.ledgers.totals()).toMatchObject({ tokens: extensions.usage.tokens })
  expect(counts()).toEqual({ requests: 1, connections: 1 })
})
