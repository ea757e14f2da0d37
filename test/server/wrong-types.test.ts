import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createApp } from '../../src/server/app.ts'
import { noDocuments } from '../../src/server/documents.ts'
import type { Documents } from '../../src/server/documents.ts'
import { compressed, listen } from '../../src/server/listen.ts'
import type { Listening } from '../../src/server/listen.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'

const query = '{ organizations { name } }'
const events = 'subscription { scores(date: "2026-02-14") { gameId } }'
const trusted = new Map(
  [query, events].map((text) => [createHash('sha256').update(text).digest('hex'), text]),
)

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

/** A list in a list, and so on. */
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** Every type of JSON that a member of a request may not have, in the body of the request. */
const wrongTypes: readonly (readonly [string, string])[] = [
  ...['5', 'true', '[]', '["{ __typename }"]', '{}', '{"a":1}'].map((value) => ['query', value] as const),
  ...['5', 'true', '[]', '{}'].map((value) => ['operationName', value] as const),
  ...['5', 'true', '[]', '"{}"'].map((value) => ['variables', value] as const),
  ...['5', 'true', '[]', '"{}"'].map((value) => ['extensions', value] as const),
]

const bodyWith = (member: string, value: string) => {
  const others = { query: JSON.stringify(query), [member]: value }
  return `{${Object.entries(others)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`
}

const modes: readonly (readonly [string, Documents])[] = [
  ['without trusted documents', noDocuments],
  ['with trusted documents', { trusted, trustedOnly: false }],
  ['with trusted documents alone', { trusted, trustedOnly: true }],
]

describe.each(modes)('%s', (_mode, documents) => {
  let graph: Graph
  let server: Listening
  beforeAll(async () => {
    graph = sample.graph()
    const app = createApp({
      upstream: graph.upstream,
      apiKey: 'sample-paid',
      defaults: basketball,
      documents,
    })
    server = await listen(compressed(app), '127.0.0.1', 0)
  })
  afterAll(() => server.close())

  const post = (body: string, accept = 'application/json') =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept },
    })

  async function refusal(response: Response): Promise<readonly [number, string | undefined]> {
    const text = await response.text()
    // Alone, in an event or in a part.
    const { errors } = JSON.parse(/\{.*\}/.exec(text)?.[0] ?? '{}') as {
      errors?: { extensions?: { code?: string } }[]
    }
    expect(graph.calls.take()).toEqual([])
    return [response.status, errors?.[0]?.extensions?.code]
  }

  test.each([
    'application/json',
    'application/graphql-response+json',
    'text/event-stream',
    'multipart/mixed',
  ])(
    'a member of another type is a clear fault of the sender by POST, for %s, with kept answers and without',
    async (accept) => {
      for (const warm of [false, true]) {
        if (warm) for (let nth = 0; nth < 3; nth += 1) await (await post(JSON.stringify({ query }))).text()
        graph.calls.take()
        for (const [member, value] of wrongTypes) {
          const answered = await refusal(await post(bodyWith(member, value), accept))
          expect([member, value, ...answered]).toEqual([member, value, 400, 'BAD_REQUEST'])
        }
      }
    },
  )

  test('a member of another type is a clear fault of the sender by GET', async () => {
    for (const [name, value] of [
      ['variables', '5'],
      ['variables', '[]'],
      ['variables', '"{}"'],
      ['extensions', '5'],
      ['extensions', '[]'],
      ['extensions', 'true'],
    ] as const) {
      const search = new URLSearchParams({ query, [name]: value })
      const answered = await refusal(
        await fetch(`${server.url}/graphql?${search}`, { headers: { accept: 'application/json' } }),
      )
      expect([name, value, ...answered]).toEqual([name, value, 400, 'BAD_REQUEST'])
    }
  })

  test('a member of another type closes a WebSocket as a bad message, or is an error of its operation', async () => {
    for (const [member, value] of wrongTypes) {
      const told = await overSocket(`{"type":"subscribe","id":"1","payload":${bodyWith(member, value)}}`)
      expect([member, value, told]).toEqual([member, value, told.startsWith('4400') ? told : 'BAD_REQUEST'])
      expect(graph.calls.take()).toEqual([])
    }
  })

  test('an operation’s id may have 256 characters; a longer one closes its WebSocket, and is not repeated', async () => {
    const message = (id: string) => JSON.stringify({ type: 'subscribe', id, payload: { query } })
    expect(await overSocket(message('x'.repeat(257)))).toBe('4400 Invalid message received')
    expect(await overSocket(message('x'.repeat(900_000)))).toBe('4400 Invalid message received')
    expect(graph.calls.take()).toEqual([])
    expect(await overSocket(message('x'.repeat(256)))).toContain('next {"data":')
    graph.calls.take()
  })

  /** How a WebSocket is closed after a message, or the code of the operation's error. */
  async function overSocket(message: string, init = '{"type":"connection_init"}'): Promise<string> {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    await once(socket, 'open')
    const told = new Promise<string>((resolve) => {
      socket.on('close', (code, reason) => resolve(`${code} ${String(reason)}`))
      socket.on('message', (data) => {
        const { type, payload } = JSON.parse(String(data)) as { type: string; payload?: unknown }
        if (type === 'connection_ack') socket.send(message)
        if (type === 'error')
          resolve(String((payload as { extensions?: { code?: string } }[])[0]?.extensions?.code))
        if (type === 'next') resolve(`next ${JSON.stringify(payload).slice(0, 200)}`)
      })
    })
    socket.send(init)
    const answer = await told
    socket.terminate()
    return answer
  }

  describe('JSON that is nested too deep is refused before it is read any further:', () => {
    const members = ['query', 'variables', 'extensions', 'operationName', 'other']
    test.each(['application/json', 'text/event-stream', 'multipart/mixed'])(
      'by POST, for %s',
      async (accept) => {
        for (const member of members)
          for (const value of [nested(5_000), `{"a":${nested(5_000)}}`]) {
            const [status, code] = await refusal(await post(bodyWith(member, value), accept))
            expect([member, status, code]).toEqual([member, 400, 'BAD_REQUEST'])
          }
        for (const body of [nested(400_000), nested(5_000)])
          expect(await refusal(await post(body, accept))).toEqual([400, 'BAD_REQUEST'])
      },
    )

    test('by GET and in a form', async () => {
      for (const name of ['variables', 'extensions']) {
        const value = `{"a":${nested(500)}}`
        const search = new URLSearchParams({ query, [name]: value })
        const byGet = await fetch(`${server.url}/graphql?${search}`, {
          headers: { accept: 'application/json' },
        })
        expect(await refusal(byGet)).toEqual([400, 'BAD_REQUEST'])
        const form = await fetch(`${server.url}/graphql`, {
          method: 'POST',
          body: search,
          headers: { accept: 'application/json' },
        })
        expect(await refusal(form)).toEqual([400, 'BAD_REQUEST'])
      }
    })

    test('over a WebSocket, as an error of its operation alone', async () => {
      for (const depth of [65, 5_000, 400_000])
        for (const member of ['variables', 'extensions', 'other']) {
          const payload = bodyWith(member, `{"a":${nested(depth)}}`)
          expect(await overSocket(`{"type":"subscribe","id":"1","payload":${payload}}`)).toBe('BAD_REQUEST')
        }
      expect(graph.calls.take()).toEqual([])
    })

    test.each([100, 5_000, 400_000])(
      'over a WebSocket, %d levels in a message that is no operation close it',
      async (depth) => {
        const value = `{"a":${nested(depth)}}`
        expect(await overSocket(`{"type":"ping","payload":${value}}`)).toMatch(/^4400/)
        expect(await overSocket(`{"type":"other","payload":${value}}`)).toMatch(/^4400/)
        expect(await overSocket('', `{"type":"connection_init","payload":${value}}`)).toMatch(/^4403/)
      },
    )
  })

  test('JSON as deep as a request may need is read', async () => {
    // With the request and the object of its variables 64 levels, at every door.
    const variables = { a: JSON.parse(nested(62)) as unknown }
    const body = JSON.stringify({ query, variables })
    const answer = await (await post(body)).json()
    expect(answer).not.toHaveProperty('errors')
    expect(await overSocket(`{"type":"subscribe","id":"1","payload":${body}}`)).toContain('next {"data":')
    graph.calls.take()
  })
})
