import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getOperationAST, GraphQLError } from 'graphql'
import type { DocumentNode, ExecutionResult } from 'graphql'
import type { GraphQLParams } from 'graphql-yoga'
import { compiledQuery } from '../graph/execution/document.ts'
import { schema } from '../graph/schema.ts'
import type { Context } from '../graph/builder.ts'
import { faultOfLimits } from './caller.ts'
import { largestBody } from './limits.ts'
import { beginLine, writeLine } from './log.ts'
import type { Log } from './log.ts'

/** A query as the body of a request has it. */
export interface PlainQuery {
  readonly params: GraphQLParams
  readonly document: DocumentNode
  readonly headers: IncomingHttpHeaders
}

/** What the lane needs to know of the server that it is a part of. */
export interface LaneServer {
  /** Whether requests with these headers may be answered at all; those that may not are Yoga's to refuse. */
  readonly isAllowed: (headers: IncomingHttpHeaders) => boolean
  /** The text of the document that a request names or brings; throws where Yoga has to refuse it. */
  readonly textOf: (params: GraphQLParams) => string | undefined
  /** A document that was parsed and found valid before; undefined for any other. */
  readonly documentOf: (text: string) => DocumentNode | undefined
  readonly contextOf: (query: PlainQuery) => Context
  /** Executes, traced and counted, and adds the bill to the result. */
  readonly execute: (query: PlainQuery, context: Context) => Promise<ExecutionResult>
  /** Headers of the answer, beside its type and length. */
  readonly headersOf: (query: PlainQuery, context: Context, result: ExecutionResult) => Record<string, string>
}

/**
 * Answers plain JSON queries by POST before Yoga's HTTP layer, which costs more than the query itself. Whatever is not such a query, and
 * whatever has to be refused, goes to Yoga untouched.
 */
export function withLane(yoga: RequestListener, server: LaneServer, log: Log | null): RequestListener {
  return (request, response) => {
    const type = answerType(request.headers.accept)
    if (type === null || !isPlain(request) || !server.isAllowed(request.headers))
      return yoga(request, response)
    readBody(request, (body) => {
      const query = plainQuery(body, request.headers, server)
      if (query) return void answer(query, response, type, server, log)
      request.unshift(body)
      return yoga(request, response)
    })
  }
}

const json = /^application\/json(;\s*charset="?utf-8"?)?$/i

/** A JSON query by POST, of known length, that asks for nothing special. */
function isPlain({ method, url, headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'])
  return (
    method === 'POST' &&
    url === '/graphql' &&
    length > 0 &&
    length <= largestBody &&
    json.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    headers['apollo-federation-include-trace'] === undefined
  )
}

const types = ['application/json', 'application/graphql-response+json'] as const

/** The media type that is preferred; null where it is none that the lane writes. */
function answerType(accept = '*/*'): string | null {
  const [first = ''] = accept.split(',', 1)
  const bare = first.trim().toLowerCase()
  if (bare === '*/*' || bare === 'application/*') return types[0]
  return types.find((type) => type === bare) ?? null
}

/** Reads as many bytes as the request says it has, and leaves the stream as if none were read but for those. */
function readBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
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

/** The query in a body; null where it is Yoga's to answer or to refuse. */
function plainQuery(body: Buffer, headers: IncomingHttpHeaders, server: LaneServer): PlainQuery | null {
  try {
    const params: unknown = JSON.parse(body.toString('utf8'))
    if (!isParams(params)) return null
    const text = server.textOf(params)
    const document = text === undefined ? undefined : server.documentOf(text)
    const query = document && compiledQuery(schema, document, params.operationName)
    if (!document || !query || !query.variables(params.variables ?? {}).coerced) return null
    return { params, document, headers }
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a body has the parts of a query, each of the right type, and does not ask for an explanation. */
function isParams(value: unknown): value is GraphQLParams {
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

async function answer(
  query: PlainQuery,
  response: ServerResponse,
  type: string,
  server: LaneServer,
  log: Log | null,
): Promise<void> {
  const line = beginLine(single(query.headers['x-request-id']))
  const context = server.contextOf(query)
  const result = await server.execute(query, context).catch(failed)
  const body = JSON.stringify(result)
  response.writeHead(200, {
    ...server.headersOf(query, context, result),
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    ...(log && { 'x-request-id': line.id }),
  })
  response.end(body)
  if (!log) return
  line.client = context.client
  line.operation = getOperationAST(query.document, query.params.operationName)?.name?.value
  writeLine(log, line, { method: 'POST', path: '/graphql', status: 200 })
}

/** What a client is told where the server itself is at fault. */
function failed(error: unknown): ExecutionResult {
  console.error(error)
  const extensions = { code: 'INTERNAL_SERVER_ERROR' }
  return { data: null, errors: [new GraphQLError('Unexpected error.', { extensions })] }
}

const single = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)
