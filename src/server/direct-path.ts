import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  RequestListener,
  ServerResponse,
} from 'node:http'
import { getOperationAST, GraphQLError } from 'graphql'
import type { DocumentNode } from 'graphql'
import type { GraphQLParams } from 'graphql-yoga'
import { compiledQuery } from '../graph/execution/document.ts'
import { schema } from '../schema.ts'
import type { Context } from '../graph/context.ts'
import { KeptAnswer } from './answer-cache.ts'
import { faultOfLimits } from './caller.ts'
import { largestBody } from './limits.ts'
import { beginLine, noteOutcome, writeLine } from './log.ts'
import type { Line, Log } from './log.ts'
import type { Pieces } from './packed.ts'

/** A query from the body of a request. */
export interface PlainQuery {
  /** Identifies everything that the answer depends on; null if the answer is not kept. */
  readonly name: string | null
  readonly params: GraphQLParams
  readonly document: DocumentNode
  readonly headers: IncomingHttpHeaders
}

/** An answer ready to be sent. */
export interface Printed {
  readonly bytes: Buffer
  readonly errors: readonly GraphQLError[] | undefined
  /** Whether `data` is null. */
  readonly isNull: boolean
}

/** The answer to an executed query, and its context. */
export interface Executed {
  readonly context: Context
  readonly printed: Printed
}

/** What the direct path needs of its server. */
export interface DirectPathServer {
  /** Whether requests with these headers may be answered. Others are left to Yoga, which refuses them. */
  readonly isAllowed: (headers: IncomingHttpHeaders) => boolean
  /** Identifies a request by its account, its body and the media type of its answer. */
  readonly nameOf: (body: Buffer, type: string, headers: IncomingHttpHeaders) => string
  /** A kept answer that is still fresh. */
  readonly find: (name: string, headers: IncomingHttpHeaders) => KeptAnswer | undefined
  /** The text of the document that a request names or contains. Throws if Yoga has to refuse it. */
  readonly textOf: (params: GraphQLParams) => string | undefined
  /** A parsed and validated document; undefined for any other. */
  readonly documentOf: (text: string) => DocumentNode | undefined
  readonly contextOf: (query: PlainQuery) => Context
  /** The client's name. */
  readonly clientOf: (headers: IncomingHttpHeaders) => string
  /**
   * Executes a query with its span and metrics. Adds the bill to the result, or keeps the whole answer as
   * bytes.
   */
  readonly execute: (query: PlainQuery, context: Context) => Promise<Printed | KeptAnswer>
  /** Headers of the answer, beside its type, encoding and length. */
  readonly headersOf: (
    headers: IncomingHttpHeaders,
    answered: Executed | KeptAnswer,
  ) => Record<string, string>
}

/** Sends an answer in the encoding that the client prefers: patches the response, then calls `next`. */
export type Encode = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** Longer bodies are hardly ever sent twice. */
const longestName = 65_536

/**
 * Answers plain JSON queries by POST before Yoga's HTTP layer, which costs more than the query itself. All
 * other requests, and those that have to be refused, go to Yoga untouched.
 */
export function withDirectPath(
  yoga: RequestListener,
  server: DirectPathServer,
  log: Log | null,
  encode: Encode | null = null,
): RequestListener {
  const toYoga: RequestListener = (request, response) =>
    encode ? encode(request, response, () => void yoga(request, response)) : yoga(request, response)
  return (request, response) => {
    const { headers } = request
    const type = answerType(headers.accept)
    if (type === null || !isPlain(request) || !server.isAllowed(headers)) return toYoga(request, response)
    readBody(request, (body) => {
      const exchange = { request, response, type, log, encode, line: beginLine(headers['x-request-id']) }
      const name = body.length > longestName ? null : server.nameOf(body, type, headers)
      const kept = name === null ? undefined : server.find(name, headers)
      if (kept) return void sendKept(exchange, kept, server)
      const query = plainQuery(body, name, headers, server)
      if (query) return void answer(exchange, query, server)
      request.unshift(body)
      return toYoga(request, response)
    })
  }
}

/** A request and its response. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly type: string
  readonly line: Line
  readonly log: Log | null
  readonly encode: Encode | null
}

const json = /^application\/json(;\s*charset="?utf-8"?)?$/i
const isJson = (type = '') => type === 'application/json' || json.test(type)

/** Whether a request is a JSON query by POST with a known length and no special features. */
export function isPlain({ method, url, headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'])
  return (
    method === 'POST' &&
    url === '/graphql' &&
    length > 0 &&
    length <= largestBody &&
    isJson(headers['content-type']) &&
    headers['content-encoding'] === undefined &&
    headers['apollo-federation-include-trace'] === undefined
  )
}

const types = ['application/json', 'application/graphql-response+json'] as const

/** The preferred media type; null if it is none that is written here. */
function answerType(accept = '*/*'): string | null {
  if (accept === '*/*' || accept === types[0]) return types[0]
  const [first = ''] = accept.split(',', 1)
  const bare = first.trim().toLowerCase()
  if (bare === '*/*' || bare === 'application/*') return types[0]
  return types.find((type) => type === bare) ?? null
}

/**
 * Reads the body of the announced length. The stream can then be read again from the start, after `unshift`.
 */
export function readBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  const parts: Buffer[] = []
  let missing = Number(request.headers['content-length'])
  const read = (part: Buffer) => {
    parts.push(part)
    missing -= part.length
    if (missing > 0) return
    request.off('data', read)
    request.pause()
    onBody(parts.length === 1 ? part : Buffer.concat(parts))
  }
  request.on('data', read)
}

/** The query in a body; null if Yoga has to answer or refuse it. */
function plainQuery(
  body: Buffer,
  name: string | null,
  headers: IncomingHttpHeaders,
  server: DirectPathServer,
): PlainQuery | null {
  try {
    const params: unknown = JSON.parse(body.toString('utf8'))
    if (!isParams(params)) return null
    const text = server.textOf(params)
    const document = text === undefined ? undefined : server.documentOf(text)
    const query = document && compiledQuery(schema, document, params.operationName)
    if (!document || !query || !query.variables(params.variables ?? {}).coerced) return null
    return { name, params, document, headers }
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a body has the parts of a query, each of the right type, without `explain`. */
export function isParams(value: unknown): value is GraphQLParams {
  if (!isObject(value)) return false
  const { query, variables, extensions, operationName } = value
  return (
    (query === undefined || typeof query === 'string') &&
    (operationName === undefined || operationName === null || typeof operationName === 'string') &&
    (variables === undefined || variables === null || isObject(variables)) &&
    (extensions === undefined ||
      extensions === null ||
      (isObject(extensions) && !('explain' in extensions) && !faultOfLimits(extensions)))
  )
}

async function answer(exchange: Exchange, query: PlainQuery, server: DirectPathServer): Promise<void> {
  const context = server.contextOf(query)
  const result = await server.execute(query, context).catch(failed)
  if (result instanceof KeptAnswer) return sendKept(exchange, result, server)
  const { line } = exchange
  const { length } = result.bytes
  line.client = context.client
  noteOutcome(line, { data: result.isNull ? null : {}, errors: result.errors })
  line.operation = getOperationAST(query.document, query.params.operationName)?.name?.value
  const headers = server.headersOf(query.headers, { context, printed: result })
  send(exchange, length, () => {
    exchange.response.writeHead(200, headersWith(exchange, headers, length))
    exchange.response.end(result.bytes)
  })
  if (exchange.log) writeLine(exchange.log, line, answered)
}

const answered = { method: 'POST', path: '/graphql', status: 200 }

/** Shorter answers are not compressed: it would cost more than it saves. */
const leastEncoded = 1_024

/** Compresses a long answer if the client accepts an encoding. */
function send({ request, response, encode }: Exchange, length: number, write: () => void): void {
  const isEncoded = encode && length >= leastEncoded && request.headers['accept-encoding'] !== undefined
  if (isEncoded) encode(request, response, write)
  else write()
}

function headersWith(
  { type, encode, log, line }: Exchange,
  headers: Record<string, string>,
  length: number,
): OutgoingHttpHeaders {
  headers['content-type'] = `${type}; charset=utf-8`
  headers['content-length'] = String(length)
  if (encode) headers['vary'] = `${headers['vary']}, Accept-Encoding`
  if (log) headers['x-request-id'] = line.id
  return headers
}

/** Sends an answer that is kept as bytes. */
function sendKept(exchange: Exchange, kept: KeptAnswer, server: DirectPathServer): void {
  const { request, encode } = exchange
  const end = kept.endFor(server.clientOf(request.headers))
  const isGzip = encode !== null && kept.packed.isWorthGzip && takesGzip(request.headers['accept-encoding'])
  const pieces = isGzip ? kept.packed.gzippedWith(end) : kept.packed.with(end)
  if (pieces instanceof Promise) void pieces.then((come) => sendPieces(exchange, kept, server, come, true))
  else sendPieces(exchange, kept, server, pieces, isGzip)
}

function sendPieces(
  exchange: Exchange,
  kept: KeptAnswer,
  server: DirectPathServer,
  [first, last]: Pieces,
  isGzip: boolean,
): void {
  const { request, response, line, log } = exchange
  const headers = headersWith(exchange, server.headersOf(request.headers, kept), first.length + last.length)
  if (isGzip) headers['content-encoding'] = 'gzip'
  response.writeHead(200, headers)
  response.write(first)
  response.end(last)
  if (!log) return
  line.client = {
    ...kept.made,
    client: server.clientOf(request.headers),
    tokensByOperation: {},
    attempts: 0,
  }
  line.outcome = 'ok'
  line.operation = kept.made.operation
  writeLine(log, line, answered)
}

/** Whether a client accepts gzip. */
const takesGzip = (accepted: string | string[] = '') =>
  accepted.includes('gzip') && !/gzip\s*;\s*q=0(\.0+)?\s*(,|$)/.test(String(accepted))

/** The answer after an internal error. */
function failed(error: unknown): Printed {
  console.error(error)
  const extensions = { code: 'INTERNAL_SERVER_ERROR' }
  const errors = [new GraphQLError('Unexpected error.', { extensions })]
  return { bytes: Buffer.from(JSON.stringify({ data: null, errors })), errors, isNull: true }
}
