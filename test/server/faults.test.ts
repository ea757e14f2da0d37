import { connect } from 'node:net'
import { buildSchema } from 'graphql'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import type { ServerOptions } from '../../src/server/app.ts'
import { ReadinessChecks } from '../../src/server/readiness-checks.ts'
import { compressed, listen } from '../../src/server/listen.ts'
import type { Listening } from '../../src/server/listen.ts'
import { shielded } from '../../src/server/plugin-failures.ts'

const schema = buildSchema('type Query { greeting: String }')
const printed: string[] = []
let server: Listening

beforeEach(() => {
  printed.length = 0
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => void printed.push(words.join(' ')))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server.close()
})

const fail = (): never => {
  throw new Error('no space left\n{"level":30,"forged":true}')
}
const serve = async (options: ServerOptions = {}) =>
  (server = await listen(compressed(createApp({ schema, ...options })), '127.0.0.1', 0))

async function get(path: string): Promise<[number, string]> {
  const response = await fetch(server.url + path, { headers: { accept: 'application/json' } })
  return [response.status, await response.text()]
}

/** Each failure is printed as one line without foreign text. */
function expectPrinted(times: number): void {
  expect(printed).toHaveLength(times)
  for (const line of printed) {
    expect(line).not.toContain('\n')
    expect(JSON.parse(line)).toMatchObject({ level: 50, error: 'Error', stack: expect.any(String) })
  }
}

const query = '/graphql?query={greeting}'

describe('a failure inside the server', () => {
  test.each([
    ['of the log', { log: { info: fail, error: fail } }],
    ['of the log, later', { log: { info: fail, error: fail }, isOurHost: () => true }],
  ])('%s takes no answer away', async (_what, options) => {
    await serve(options)
    expect(await get(query)).toEqual([200, '{"data":{"greeting":null}}'])
    expectPrinted(1)
  })

  test('of a check of a part is not ready, without a word of it', async () => {
    await serve({ checks: new ReadinessChecks({ disk: fail }) })
    const [status, body] = await get('/ready')
    expect([status, JSON.parse(body)]).toEqual([
      503,
      { status: 'unready', parts: { disk: { status: 'failed', reason: 'Its state cannot be told.' } } },
    ])
    expectPrinted(1)
  })

  test('of a check before the query is an error without a word, and no query', async () => {
    await serve({ isOurHost: fail })
    expect(await get(query)).toEqual([500, ''])
    expectPrinted(1)
  })

  test('of the metrics is one, too', async () => {
    vi.spyOn(Registry.prototype, 'metrics').mockRejectedValue(new Error('collected\nnothing'))
    await serve()
    expect(await get('/metrics')).toEqual([500, ''])
    expectPrinted(1)
  })

  test('of what is added to an answer leaves the answer', () => {
    const { onResultProcess } = shielded({ onResultProcess: fail })
    expect(onResultProcess).not.toThrow()
    expectPrinted(1)
  })
})

test('uploads that are cut off leave nothing behind and print nothing', async () => {
  await serve()
  const post = 'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
  const cut = (bytes: string) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.on('error', () => {}).once('close', () => resolve())
      socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20))
    })
  const half = `${post}content-length: 1000\r\n\r\n{"query":`
  const chunk = `${post}transfer-encoding: chunked\r\n\r\n5\r\n{"que`
  await Promise.all(Array.from({ length: 40 }, (_, n) => cut(n % 2 ? half : chunk)))
  expect(await get(query)).toEqual([200, '{"data":{"greeting":null}}'])
  expect(printed).toEqual([])
})

test('what a client sends cannot write a line of the log', async () => {
  const lines: string[] = []
  const log = { info: (line: object) => void lines.push(JSON.stringify(line)), error: () => {} }
  await serve({ log })
  await fetch(`${server.url}/a%0a%7b%22level%22:30%7d?x=%0d%0a`, { headers: { 'x-request-id': 'a{"b":1}' } })
  await get(`/graphql?query=${encodeURIComponent('query A {greeting}\n#\u2028{"level":30}')}`)
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).not.toMatch(/[\r\n\u2028]|"level"|"b"/)
})
