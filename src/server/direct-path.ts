import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { GraphQLError } from 'graphql'
import { compiledQuery } from '../graph/execution/document.ts'
import { schema } from '../schema.ts'
import { KeptAnswer } from './answer-cache.ts'
import { AnswerSender } from './answer-sender.ts'
import type { Exchange } from './answer-sender.ts'
import { beginLine } from './log-line.ts'
import type { DirectPathServer, PlainQuery, Printed } from './plain-query.ts'
import { answerType, isParams, isPlain, readBody } from './plain-request.ts'
import { logCut } from './refused-requests.ts'
import type { Logs } from './refused-requests.ts'
import { fail, report } from './report.ts'

/** Longer bodies are hardly ever sent twice. */
const longestName = 65_536

/**
 * Answers plain JSON queries by POST before Yoga's HTTP layer, which costs more than the query itself. All
 * other requests, and those that have to be refused, go to Yoga untouched.
 */
export function withDirectPath(
  yoga: RequestListener,
  server: DirectPathServer,
  logs: Logs | null,
  isCompressed = false,
): RequestListener {
  const log = logs?.log ?? null
  const sender = new AnswerSender(server, log, isCompressed)
  return (request, response) => {
    const { headers } = request
    const type = answerType(headers.accept)
    if (type === null || !isPlain(request) || !server.isAllowed(headers)) return yoga(request, response)
    const onCut = () => logCut(logs, request)
    readBody(request, onCut, (body) => {
      const exchange = { request, response, type, line: log && beginLine(headers['x-request-id']) }
      const name = body.length > longestName ? null : server.nameOf(body, type, headers)
      const kept = name === null ? undefined : server.find(name, headers)
      if (kept) return sender.sendKept(exchange, kept)
      const query = plainQuery(body, name, headers, server)
      if (query)
        return void answer(exchange, query, server, sender).catch((error: unknown) => fail(response, error))
      request.unshift(body)
      return yoga(request, response)
    })
  }
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
    if (
      !document ||
      query?.operation.operation !== 'query' ||
      !query.variables(params.variables ?? {}).coerced
    )
      return null
    return { name, params, document, headers }
  } catch {
    return null
  }
}

async function answer(
  exchange: Exchange,
  query: PlainQuery,
  server: DirectPathServer,
  sender: AnswerSender,
): Promise<void> {
  const context = server.contextOf(query)
  context.clientRequest.connection = exchange.request.socket
  sender.begin(exchange, query, context)
  const result = await server.execute(query, context).catch(failed)
  if (result instanceof KeptAnswer) sender.sendKept(exchange, result)
  else sender.send(exchange, result)
}

/** The answer after an internal error. */
function failed(error: unknown): Printed {
  report(error)
  const extensions = { code: 'INTERNAL_SERVER_ERROR' }
  const errors = [new GraphQLError('Unexpected error.', { extensions })]
  return {
    bytes: Buffer.from(JSON.stringify({ data: null, errors })),
    errors,
    isNull: true,
    cacheControl: 'no-store',
  }
}
