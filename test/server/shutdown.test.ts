import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import type { Listening } from '../../src/server/listen.ts'
import { endless } from './endless.ts'

let server: Listening
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
})

/** With limits that are never reached: a server that waited for a client would not close. */
const serve = async (listener: RequestListener) => (server = await listen(listener, '127.0.0.1', 0, endless))

/** A connection over which these bytes were sent, and what came back so far. */
async function sent(bytes: string): Promise<{ socket: Socket; text: () => string; over: Promise<unknown> }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {})
  const over = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  socket.write(bytes)
  // The bytes are there; it takes some turns of the loop until the server has read them.
  for (let turn = 0; turn < 50; turn += 1) await immediate()
  return { socket, text: () => text, over }
}

const get = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'
const post = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n'
const events = new Headers({ 'content-type': 'text/event-stream' }) // Yoga sets them so

describe('a server that closes', () => {
  test.each([
    ['has sent nothing', ''],
    ['has sent half of its headers', 'GET / HTTP/1.1\r\nhost: loc'],
    ['has sent half of its body', `${post}{"query":`],
    ['waits for the word to send its body', post.replace('\r\n\r\n', '\r\nexpect: 100-continue\r\n\r\n')],
    ['keeps its connection alive for later', get],
  ])('does not wait for a client that %s', async (_what, bytes) => {
    await serve((request, response) => {
      request.resume().once('end', () => response.end('done'))
    })
    const { over } = await sent(bytes)
    await server.close()
    await over
  })

  test('does not wait for a body that was cut short, though its answer has begun', async () => {
    await serve((_request, response) => void response.write('begun'))
    const { text, over } = await sent(`${post}{`)
    await expect.poll(text).toContain('begun')
    await server.close()
    await over
  })

  test('waits for what has arrived whole, and takes no more', async () => {
    const waiting: ServerResponse[] = []
    await serve((_request, response) => void waiting.push(response))
    const { text, over } = await sent(get)
    await expect.poll(() => waiting.length).toBe(1)
    let isClosed = false
    const closed = server.close().then(() => (isClosed = true))
    await expect(fetch(server.url)).rejects.toThrow('fetch failed')
    expect([text(), isClosed]).toEqual(['', false])
    waiting[0]?.end('done')
    await closed
    await over
    expect(text()).toMatch(/^HTTP\/1\.1 200 .*done/s)
  })

  test('cuts a stream of events without its end, so that no client takes it for complete', async () => {
    await serve((_request, response) => response.setHeaders(events).write('event: next\n\n'))
    const { text, over } = await sent(get)
    await expect.poll(text).toContain('event: next')
    await server.close()
    await over
    expect(text()).not.toMatch(/complete|\r\n0\r\n/)
  })

  test('cuts a stream of events, too, that begins only now', async () => {
    const waiting: ServerResponse[] = []
    await serve((_request, response) => void waiting.push(response))
    const { text, over } = await sent(get)
    await expect.poll(() => waiting.length).toBe(1)
    const closed = server.close()
    waiting[0]?.setHeaders(events).write('event: next\n\n')
    await Promise.all([closed, over])
    expect(text()).not.toMatch(/complete|\r\n0\r\n/)
  })
})

test('a server that drains answers, on connections that are closed after it', async () => {
  await serve((_request, response) => response.end('done'))
  const before = await fetch(server.url)
  expect([before.headers.get('connection'), await before.text()]).toEqual(['keep-alive', 'done'])
  server.drain()
  for (let nth = 0; nth < 2; nth += 1) {
    const response = await fetch(server.url)
    expect([response.headers.get('connection'), await response.text()]).toEqual(['close', 'done'])
  }
})
