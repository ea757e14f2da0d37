import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import type { Listening, Patience } from '../../src/server/listen.ts'
import { endless } from './endless.ts'

let server: Listening
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
})

const patience: Patience = {
  headersMs: 300,
  requestMs: 600,
  idleMs: 300,
  readMs: 300,
  checkMs: 50,
  graceMs: 10_000,
}

/** For tests of what happens once a request is there, however long a busy machine takes to read it. */
const patientAtFirst: Patience = { ...patience, headersMs: 60_000, requestMs: 60_000 }

const serve = async (listener: RequestListener, limits = patience) =>
  (server = await listen(listener, '127.0.0.1', 0, limits))

/** A connection over which these bytes are sent. */
async function sending(bytes: string): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

/** Limits the time of all requests from now on, and of those that are being answered, if they are limited. */
function limit({ socket }: IncomingMessage): void {
  const { server } = socket as Socket & { server: Server } // node:http sets it
  server.headersTimeout = server.requestTimeout = patience.requestMs
  server.keepAliveTimeout = patience.idleMs
}

/** Resolves when a request that begins now and never ends has reached every limit. */
const limitsReached = async () => answered(await sending('GET / HTTP/1.1\r\n'))

/** What comes back until the server hangs up. */
async function answered(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  // Not by once(), which rejects if the connection is reset: that is a hang-up, too.
  await new Promise((is) => socket.once('close', is))
  return text
}

const get = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'
const post = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n'

describe('a connection is closed', () => {
  test.each([
    ['sends nothing', '', ''],
    ['sends its headers byte by byte', 'GET / HTTP/1.1\r\n', 'x'],
    ['sends its body byte by byte', post, 'x'],
  ])('whose client %s', async (_what, first, then) => {
    let answers = 0
    await serve((request, response) => {
      request.resume().once('end', () => response.end(String((answers += 1))))
    })
    const socket = await sending(first)
    const drip = setInterval(() => then && socket.write(then), 50)
    expect(await answered(socket)).toMatch(/^(HTTP\/1\.1 408 |$)/)
    clearInterval(drip)
    expect(answers).toBe(0)
  })

  test('whose client asks nothing more', async () => {
    await serve((_request, response) => response.end('done'), patientAtFirst)
    expect(await answered(await sending(get))).toContain('done')
  })

  test.each([
    ['an answer', 'application/json'],
    ['a stream of events', 'text/event-stream'],
  ])('whose client does not read %s', async (_what, type) => {
    let over: Promise<unknown> | undefined
    await serve((request, response) => {
      over = once(response, 'close')
      response.setHeader('content-type', type).write(Buffer.alloc(20_000_000))
      request.socket.setTimeout(0) // as Yoga does for streams
    }, patientAtFirst)
    const socket = await sending(get)
    socket.pause()
    await expect.poll(() => over).toBeDefined()
    await over
  })
})

describe('a connection stays open', () => {
  test('while its answer is made, for as long as that takes', async () => {
    await serve(async (request, response) => {
      limit(request)
      await limitsReached()
      response.end('done')
    }, patientAtFirst)
    expect(await (await fetch(server.url)).text()).toBe('done')
  })

  test('between two requests for longer than proxies keep it', async () => {
    server = await listen((_request, response) => response.end('done'), '127.0.0.1', 0)
    const { headers } = await fetch(server.url)
    expect(headers.get('keep-alive')).toBe('timeout=65')
  })

  test('while its client reads, however long the stream is', async () => {
    let limitIt = () => {}
    await serve((request, response) => {
      limitIt = () => limit(request)
      response.setHeader('content-type', 'text/event-stream')
      const ping = setInterval(() => response.write(':\n\n'), 50)
      response.once('close', () => clearInterval(ping))
    }, patientAtFirst)
    const socket = await sending(get)
    await once(socket, 'data')
    limitIt()
    await limitsReached()
    expect(socket.closed).toBe(false)
  })
})

test('a stream that its client does not read holds up no shutdown', async () => {
  let isWriting = false
  await serve((_request, response) => {
    response.setHeader('content-type', 'text/event-stream').write(Buffer.alloc(20_000_000))
    isWriting = true
  }, endless)
  const socket = await sending(get)
  socket.pause()
  await expect.poll(() => isWriting).toBe(true)
  await server.close()
})
