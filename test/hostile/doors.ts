import { Agent, request as send } from 'node:http'
import { WebSocket } from 'ws'
import type { Hostile } from './documents.ts'

/** What came of one request. */
export interface Reply {
  /** Of HTTP; 0 over a WebSocket. */
  readonly status: number
  /** The answer's JSON, or that of the first event or message. Empty if nothing came. */
  readonly text: string
}

type Door = (url: string, asked: Hostile) => Promise<Reply>

const agent = new Agent({ keepAlive: true })

/** Characters of an address that is certainly read. */
const longestAddress = 12_000

interface Options {
  readonly extensions?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Bodies without extensions. They are sent several times, and the time of printing a large one is the client's. */
const bodies = new WeakMap<Hostile, Buffer>()

function bodyOf(asked: Hostile, extensions?: object): Buffer {
  const { query, variables } = asked
  const body =
    (!extensions && bodies.get(asked)) || Buffer.from(JSON.stringify({ query, variables, extensions }))
  if (!extensions) bodies.set(asked, body)
  return body
}

function post(url: string, asked: Hostile, { extensions, headers }: Options = {}) {
  const body = bodyOf(asked, extensions)
  const length = { 'content-type': 'application/json', 'content-length': String(body.length) }
  return sent(url, 'POST', { ...length, ...headers }, body)
}

function sent(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: Buffer,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = send(url, { agent, method, headers }, (response) => {
      let text = ''
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false
      const end = () =>
        resolve({ status: response.statusCode ?? 0, text: isStream ? (eventIn(text) ?? text) : text })
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (!isStream || eventIn(text) === null) return
        end()
        response.destroy()
      })
      response.once('end', end).once('error', reject)
    })
    request.once('error', reject).end(body)
  })
}

/** The data of the first event, once it is complete. */
function eventIn(text: string): string | null {
  const [, data] = /^event: next\ndata: (.*)\n\n/m.exec(text) ?? []
  return data ?? null
}

/** The first message about a query. That the socket is closed for it is an error whose code is the reason. */
function overSocket(url: string, { query, variables }: Hostile): Promise<Reply> {
  const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws')
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => socket.send('{"type":"connection_init"}'))
    socket.once('close', (_code, reason) => {
      const errors = [{ extensions: { code: reason.toString() } }]
      resolve({ status: 0, text: JSON.stringify({ errors }) })
    })
    socket.on('message', (data) => {
      const { type, payload } = JSON.parse((data as Buffer).toString()) as { type: string; payload?: unknown } // the protocol's
      if (type === 'connection_ack')
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query, variables } }))
      if (type !== 'next' && type !== 'error') return
      const text = JSON.stringify(type === 'error' ? { errors: payload } : payload)
      resolve({ status: 0, text })
      socket.terminate()
    })
  })
}

function get(url: string, { query, variables = {} }: Hostile): Promise<Reply> | null {
  const address = `${url}?${new URLSearchParams({ query, variables: JSON.stringify(variables) }).toString()}`
  return address.length > longestAddress ? null : sent(address, 'GET', {})
}

/** Every way into Statline, in the order in which each document takes them. */
export const doors: Readonly<Record<string, (url: string, asked: Hostile) => Promise<Reply> | null>> = {
  'dry run': (url, asked) => post(url, asked, { extensions: { explain: 'dry' } }),
  'POST, unknown': (url, asked) => post(url, asked),
  'POST, known': (url, asked) => post(url, asked),
  'token limit': (url, asked) => post(url, asked, { extensions: { maxTokens: 1_000_000 } }),
  'federated trace': (url, asked) =>
    post(url, asked, { headers: { 'apollo-federation-include-trace': 'ftv1' } }),
  'event stream': (url, asked) => post(url, asked, { headers: { accept: 'text/event-stream' } }),
  WebSocket: overSocket,
  GET: get,
} satisfies Readonly<Record<string, Door | typeof get>>
