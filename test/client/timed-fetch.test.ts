import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { timedFetch } from '../../src/client/timed-fetch.ts'
import { fakedTimers, until } from './living.ts'

/** A server that answers when the test says so. */
let server: Server
let url: string
const responses: ServerResponse[] = []
const closed: ServerResponse[] = []

beforeAll(async () => {
  server = createServer((_request, response) => {
    responses.push(response)
    response.once('close', () => closed.push(response))
  })
  await new Promise<void>((is) => server.listen(0, '127.0.0.1', is))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a server on a port
})
beforeEach(() => void vi.useFakeTimers(fakedTimers))
afterEach(() => {
  vi.useRealTimers()
  responses.length = closed.length = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const fetched = timedFetch(undefined)

async function opened(signal?: AbortSignal) {
  const coming = fetched(url, { ...(signal && { signal }) })
  await until(() => responses.length === 1)
  responses[0]?.writeHead(200, { 'content-type': 'text/event-stream' }).write('one')
  const response = await coming
  const reader = response.body?.getReader()
  const next = async () => new TextDecoder().decode((await reader?.read())?.value)
  return { response, reader, next }
}

test('a stream that does not open within 15 seconds fails, and its connection ends', async () => {
  const failed = vi.fn()
  const coming = fetched(url).catch(failed)
  await until(() => responses.length === 1)
  await vi.advanceTimersByTimeAsync(14_999)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await coming
  expect(failed.mock.calls).toMatchObject([[{ message: 'The stream did not open.' }]])
  await until(() => closed.length === 1)
})

test('a stream that is silent for 40 seconds fails, and its connection ends; each sign counts', async () => {
  const { response, next } = await opened()
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(await next()).toBe('one')
  const failed = vi.fn()
  for (const part of ['two', 'three']) {
    const coming = next()
    await vi.advanceTimersByTimeAsync(39_000)
    responses[0]?.write(part)
    expect(await coming).toBe(part)
  }
  const coming = next().catch(failed)
  await vi.advanceTimersByTimeAsync(40_000)
  await coming
  expect(failed.mock.calls).toMatchObject([[{ message: 'The stream was silent for too long.' }]])
  await until(() => closed.length === 1)
})

test('a stream that ends leaves no timer behind', async () => {
  const { next } = await opened()
  expect(await next()).toBe('one')
  responses[0]?.end()
  expect(await next()).toBe('')
  await vi.advanceTimersByTimeAsync(10_000) // Node closes an idle connection after 4 seconds
  expect(vi.getTimerCount()).toBe(0)
})

test.each(['before it opens', 'once it is open'])(
  'a stream that is left %s ends its connection',
  async (when) => {
    const leaving = new AbortController()
    if (when === 'once it is open') await opened(leaving.signal)
    else void fetched(url, { signal: leaving.signal }).catch(() => {})
    await until(() => responses.length === 1)
    leaving.abort()
    await until(() => closed.length === 1)
  },
)
