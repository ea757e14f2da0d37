import { Agent, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { Capacity } from '../../src/rows/capacity.ts'
import { createApp } from '../../src/server/app.ts'
import { compressed } from '../../src/server/listen.ts'
import { listedName } from '../../src/specification/operations.ts'
import type { Incoming, Outgoing } from '../../src/wire/transport.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { fills } from '../../src/loaders/fills.ts'

/**
 * Runs in a process of its own: sends the longest inputs of a client, each kind many times, and prints for each by how
 * many bytes memory has grown after the caches were full, and the calls that all its inputs have cost. Rows and kept
 * answers have small capacities, so that they are full soon; all other bounds are those of the heap.
 */

const idOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
const long = 500_000
/** The rest of a body of nearly a mebibyte, which is the longest that is read. */
const comment = `#${'x'.repeat(900_000)}`
const xs = (length: number) => 'x'.repeat(length)

const rowOf = (table: string, id: string) => ({
  [`${table}_id`]: id,
  name: `The ${table} ${id}`,
  code: 'CBB',
})

/** A service that knows all keys but those that begin with "wrong", and has a row for each id. */
function answerTo({ operation, arguments: values, apiKey }: Outgoing): object {
  if (apiKey.startsWith('wrong')) return { error: 'unknown api key' }
  const table = operation.yields
  const ids = values[`${table}_id`] ?? [idOf(1)]
  if (operation.answer === 'row') return rowOf(table, String(ids))
  if (operation.function !== 'read') return {}
  const rows = [ids].flat().map((id) => [id, rowOf(table, String(id))])
  return Object.fromEntries(rows) as object
}

/** Is awaited by calls for the coach: nobody ends it. */
const never = new Promise<void>(() => {})

async function transport(request: Outgoing): Promise<Incoming> {
  if (request.operation.yields === 'coach') await never
  listedName(request.operation) // throws for one that is not listed
  // Texts of its own, as from a socket.
  const values = JSON.parse(JSON.stringify(request.arguments)) as Outgoing['arguments']
  const body = JSON.stringify(answerTo({ ...request, arguments: values }))
  return { status: 200, headers: { 'x-request-usage': '1' }, body, bytes: body.length }
}

const upstream = new Upstream(
  {
    transport,
    fills,
    monthlyTokenBudget: null,
    timeoutMs: 60_000,
    batchSize: 500,
    concurrency: 32,
    clock: () => Date.parse('2026-02-14T20:00:00Z'),
  },
  new Capacity(4_000_000),
)
const app = createApp({
  upstream,
  apiKey: null,
  defaults: { organization_id: idOf(1), division_id: idOf(2) },
  mostAnswers: 4_000_000,
})
const server = createServer(compressed(app))
server.on('upgrade', (request, socket, head) => app.sockets?.upgrade(request, socket, head))
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
const { port } = server.address() as AddressInfo // on TCP
const agent = new Agent({ keepAlive: true })

interface Asked {
  readonly query?: string
  readonly operationName?: string
  readonly variables?: object
  readonly extensions?: object
}

type Headers = Readonly<Record<string, string>>

const usual = { 'content-type': 'application/json', 'x-api-key': 'key' }

/** Sends a query. Resolves with what has come when the answer, or the first event, is there. */
function ask(asked: Asked, headers: Headers = {}): Promise<string> {
  const body = Buffer.from(JSON.stringify(asked))
  const isStream = headers['accept'] === 'text/event-stream'
  const length = { 'content-length': String(body.length) }
  return new Promise((resolve, reject) => {
    const options = {
      port,
      agent,
      method: 'POST',
      path: '/graphql',
      headers: { ...usual, ...length, ...headers },
    }
    const sent = send(options, (response) => {
      let text = ''
      const end = () => (response.destroy(), resolve(text))
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (isStream) end()
      })
      response.once('end', end).once('error', reject)
    })
    sent.once('error', reject).end(body)
  })
}

async function expectIn(text: string, asked: Asked, headers?: Headers): Promise<void> {
  const answer = await ask(asked, headers)
  if (!answer.includes(text)) throw new Error(`${answer.slice(0, 500)} lacks ${text}`)
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

/** What ends what is held open meanwhile. */
const held: (() => void)[] = []

interface Held {
  /** Resolves when the message is sent, or with false if the server reads no more. */
  readonly say: (message: object) => Promise<boolean>
  readonly heard: readonly string[]
}

/** Opens a WebSocket, which is held open until the next kind of input. */
async function opened(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws')
  held.push(() => socket.terminate())
  await new Promise((resolve, reject) => void socket.once('open', resolve).once('error', reject))
  return socket
}

/** Says hello with these parameters. Resolves when the connection is acknowledged, or closed. */
async function connected(parameters: object = { 'x-api-key': 'key' }): Promise<Held> {
  const socket = await opened()
  const heard: string[] = []
  let isFull = false
  socket.on('message', (data) => heard.push(String(data as Buffer))) // the default of ws
  socket.once('close', (code) => heard.push(`closed: ${code}`))
  socket.send(JSON.stringify({ type: 'connection_init', payload: parameters }))
  const say = async (message: object) => {
    if (isFull) return false
    socket.send(JSON.stringify(message))
    for (let turn = 0; turn < 50 && socket.bufferedAmount > 0; turn += 1) await settle()
    isFull = socket.bufferedAmount > 0
    return !isFull
  }
  while (heard.length === 0) await settle()
  return { say, heard }
}

let shared: Promise<Held> | null = null

/** Subscribes over one WebSocket for all of a kind. Resolves when there is an answer, or it takes no more. */
async function subscribe(nth: number, payload: Asked): Promise<void> {
  if (nth === 0) shared = connected()
  const socket = await shared
  const known = socket?.heard.length
  if (!(await socket?.say({ id: String(nth), type: 'subscribe', payload }))) return
  for (let turn = 0; turn < 5 && socket?.heard.length === known; turn += 1) await settle()
}

const organization = '{ league { organization { name } } }'
const stream = { accept: 'text/event-stream' }
const flags = ['a', 'b', 'c', 'd'] as const

/** Each sends inputs of its own for each number. */
const kinds: Readonly<Record<string, (nth: number) => Promise<unknown>>> = {
  'names of operations that a document lacks': async (nth) => {
    if (nth === 0) await expectIn('The org', { query: organization })
    if (nth === 0) await expectIn('The org', { query: organization })
    return ask({ query: organization, operationName: `n${nth}_${xs(long)}` })
  },
  'variables of subscriptions': (nth) =>
    ask(
      {
        query: 'subscription S($c: String) { scores(code: $c, date: "2020-01-01") { id } }',
        variables: { c: `${nth}${xs(long)}` },
      },
      stream,
    ),
  aliases: (nth) => {
    const fields = Array.from({ length: 2_000 }, (_, at) => `a${nth}_${at}${xs(240)}: name`)
    return expectIn('The org', { query: `{ league { organization { ${fields.join(' ')} } } }` })
  },
  'ids in documents': (nth) =>
    expectIn('The team', { query: `{ team(id: "${idOf(nth)}") { name } } ${comment}` }),
  'names of operations that cost': (nth) =>
    expectIn('The team', {
      query: `query OperationName${nth} { team(id: "${idOf(nth)}") { name } } ${comment}`,
    }),
  'documents of other keys': (nth) =>
    expectIn(
      'The org',
      { query: `query OperationName${nth} ${organization} ${comment}` },
      { 'x-api-key': `other-${nth}` },
    ),
  'names of clients': (nth) =>
    expectIn(
      'The team',
      { query: 'query Team($id: ID!) { team(id: $id) { name } }', variables: { id: idOf(nth) } },
      { 'graphql-client-name': `${nth}${xs(12_000)}` },
    ),
  'keys that the service refuses': (nth) =>
    expectIn('UNAUTHENTICATED', { query: organization }, { 'x-api-key': `wrong${nth}${xs(12_000)}` }),
  'errors in variables': (nth) =>
    expectIn('Expected non-nullable', {
      query: `query Q${nth % 40}($ids: [ID!]!) { teams(ids: $ids) { name } }`,
      variables: { ids: Array.from({ length: 50 }, () => null), nth },
    }),
  'errors in documents': (nth) =>
    ask({ query: `{ ${Array.from({ length: 100 }, (_, at) => `f${nth}_${at}${xs(4_000)}`).join(' ')} }` }),
  'conditions of documents': async (nth) => {
    const variables = flags.map((name) => `$${name}: Boolean!`).join(' ')
    const fields = Array.from({ length: 800 }, (_, at) => `f${at}: __typename`).join(' ')
    const parts = flags.map((name) => `... @include(if: $${name}) { ${name}: __typename }`).join(' ')
    const query = `query Q${nth}(${variables}) { ${fields} ${parts} }`
    for (let bits = 0; bits < 16; bits += 1)
      await expectIn('Query', {
        query,
        variables: Object.fromEntries(flags.map((name, at) => [name, (bits & (1 << at)) > 0])),
      })
  },
  'selections of variables': async (nth) => {
    const fields = Array.from({ length: 300 }, (_, at) => `f${at}: organization { name code }`).join(' ')
    const query = `query Q${nth}($id: ID!) { team(id: $id) { name } league { ${fields} } }`
    for (let one = 0; one < 16; one += 1) await expectIn('The org', { query, variables: { id: idOf(one) } })
  },
  'names that are searched for': (nth) =>
    ask({
      query: 'query Search($name: String!) { league { search(name: $name) { teams { name } } } }',
      variables: { name: `${nth}${xs(long)}` },
    }),
  'ids of rows': (nth) =>
    ask({
      query: 'query Team($id: ID!) { team(id: $id) { name } }',
      variables: { id: `${nth}${xs(long)}` },
    }),
  'ids of leagues': (nth) =>
    ask({
      query:
        'query League($id: ID!) { league(organizationId: $id, divisionId: $id) { organization { name } } }',
      variables: { id: `${nth}${xs(long)}` },
    }),
  'statistics that are ranked by': (nth) =>
    ask({
      query:
        'query Top($by: String!) { league { ranking(subject: TEAM, season: 2026, orderBy: $by, first: 3) { edges { node { season } } } } }',
      variables: { by: `${nth}${xs(long)}` },
    }),
  'cursors of lists': (nth) =>
    ask({
      query:
        'query Top($after: String) { league { ranking(subject: TEAM, season: 2026, orderBy: "points", first: 3, after: $after) { edges { node { season } } } } }',
      variables: { after: `${nth}${xs(long)}` },
    }),
  'names that are searched for, as short as allowed': async (nth) => {
    for (let at = 0; at < 20; at += 1)
      await ask({
        query: `query Search($name: String!) { league { search(name: $name) { teams { name } } } }`,
        variables: { name: `${nth} ${at} ${xs(190)}` },
      })
  },
  'codes of leagues': (nth) =>
    ask({
      query: 'query League($code: String) { league(code: $code) { organization { name } } }',
      variables: { code: `${nth}${xs(long)}` },
    }),
  'days and seasons': (nth) =>
    ask({
      query: `query Days($day: Date) { league { games(date: $day) { status } } }`,
      variables: { day: new Date(86_400_000 * nth).toISOString().slice(0, 10), other: xs(long) },
    }),
  'persisted documents': async (nth) => {
    const query = `{ league { organization { name } } } #${nth} ${xs(200_000)}`
    const sha256Hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(query))).toString('hex')
    await expectIn('The org', { query, extensions: { persistedQuery: { version: 1, sha256Hash } } })
  },
  'parameters of WebSockets': (nth) => connected({ 'x-api-key': `key${nth}${xs(long)}`, other: xs(long) }),
  'variables of open subscriptions': (nth) =>
    subscribe(nth, {
      query: 'subscription S($c: String) { scores(code: $c, date: "2026-02-14") { id } }',
      variables: { c: 'CBB', other: `${nth}${xs(long)}` },
    }),
  'documents of open subscriptions': (nth) =>
    subscribe(nth, {
      query: `subscription S${nth} { scores(code: "CBB", date: "2026-02-14") { id } } ${comment}`,
    }),
  'queries that wait over a WebSocket': (nth) =>
    subscribe(nth, { query: `{ coach(id: "${idOf(nth)}") { firstName } } ${comment}` }),
}

/** Bytes in use, after a collection: on the heap, and of buffers. */
async function inUse(): Promise<number> {
  await settle()
  globalThis.gc?.()
  await settle()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** How often each kind is sent until its caches are full, and then. What is kept of each would be a mebibyte or more. */
const rounds: Readonly<Record<string, readonly [before: number, then: number]>> = {
  'names of operations that a document lacks': [10, 20],
  aliases: [8, 8],
  'names of clients': [300, 800],
  'keys that the service refuses': [1_000, 500],
  'errors in variables': [40, 120],
  'errors in documents': [20, 40],
  'conditions of documents': [12, 12],
  // Plans are dropped all at once when they are too many: these are about as many as fit.
  'selections of variables': [12, 24],
  'names that are searched for, as short as allowed': [5, 15],
  'persisted documents': [10, 40],
  'documents of open subscriptions': [30, 30],
  'queries that wait over a WebSocket': [10, 40],
}

const only = process.argv.slice(2)
const told: Record<string, { readonly grown: number; readonly calls: number }> = {}
for (const [kind, input] of Object.entries(kinds)) {
  if (only.length > 0 && !only.some((one) => kind.includes(one))) continue
  const [before, then] = rounds[kind] ?? [20, 20]
  const { calls } = upstream.ledgers.totals()
  for (let nth = 0; nth < before; nth += 1) await input(nth)
  const used = await inUse()
  for (let nth = before; nth < before + then; nth += 1) await input(nth)
  told[kind] = { grown: (await inUse()) - used, calls: upstream.ledgers.totals().calls - calls }
  for (const end of held.splice(0)) end()
  if (process.env['TELL']) console.error(kind, told[kind], process.cpuUsage().user / 1e6)
}
console.log(JSON.stringify(told))
process.exit()
