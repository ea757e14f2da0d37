import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getOperationAST } from 'graphql'
import type { DocumentNode, ExecutionArgs, ExecutionResult } from 'graphql'
import type { GraphQLParams } from 'graphql-yoga'
import { streamHeaders } from './cache-control.ts'
import { resultWithoutStatus } from './errors.ts'
import { heartbeatMs } from './heartbeat.ts'
import { beginLine } from './log-line.ts'
import { sharedWith } from './origins.ts'
import type { DirectPathServer } from './plain-query.ts'
import { isParams, isPlain, readBody } from './plain-request.ts'
import { jsonOf } from './execution.ts'
import { fail } from './report.ts'
import { logCut } from './refused-requests.ts'
import type { Logs } from './refused-requests.ts'
import { requestLike } from './request-like.ts'
import { metered } from './steps.ts'
import type { Executed, StepsOf, Stream } from './steps.ts'

/** A subscription from the body of a request. */
interface Asked {
  readonly params: GraphQLParams
  readonly document: DocumentNode
}

/** A comment, which clients ignore. */
const ping = ':\n\n'
const complete = 'event: complete\ndata:\n\n'

/**
 * Answers subscriptions over Server-Sent Events before Yoga's HTTP layer, whose streams take more memory than
 * the subscriptions. All other requests, those that have to be refused, and the first one of each document,
 * which Yoga validates, go to Yoga untouched.
 */
export function withEventStreams(
  next: RequestListener,
  server: DirectPathServer,
  stepsOf: StepsOf,
  logs: Logs | null,
): RequestListener {
  const streams = new Set<ServerResponse>()
  const beating = setInterval(() => {
    for (const response of streams) if (!response.writableNeedDrain) response.write(ping)
  }, heartbeatMs)
  beating.unref()
  return (request, response) => {
    const { headers } = request
    if (headers.accept !== 'text/event-stream' || !isPlain(request) || !server.isAllowed(headers))
      return next(request, response)
    const onCut = () => logCut(logs, request)
    readBody(request, onCut, (body) => {
      const asked = subscriptionIn(body, server)
      if (asked) return void answer(request, response, asked).catch((error: unknown) => fail(response, error))
      request.unshift(body)
      return next(request, response)
    })
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    { params, document }: Asked,
  ): Promise<void> {
    const line = beginLine(request.headers['x-request-id'])
    const steps = stepsOf({ request: requestLike(request.headers, 'POST'), req: request, params })
    const args: ExecutionArgs = {
      schema: steps.schema,
      document,
      operationName: params.operationName,
      variableValues: params.variables,
      contextValue: await steps.contextFactory(),
    }
    const result = await metered(args, params, line, steps.subscribe, logs?.log)
    line.status = statusOf(result)
    // Of headers that writeHead() is given, a server that closes cannot read which type the answer has.
    response.setHeader('content-type', 'text/event-stream').writeHead(line.status, {
      ...streamHeaders,
      connection: 'keep-alive',
      vary: 'Origin, Accept',
      ...(request.headers.origin !== undefined && sharedWith(request.headers.origin)),
      ...(logs && { 'x-request-id': line.id }),
    })
    if (!(Symbol.asyncIterator in result))
      return void response.end(eventOf(resultWithoutStatus(result)) + complete)
    response.flushHeaders()
    await send(result, response)
  }

  async function send(stream: Stream, response: ServerResponse): Promise<void> {
    streams.add(response)
    response.once('close', () => {
      streams.delete(response)
      void stream.return?.()
    })
    response.on('error', () => {})
    for await (const event of stream) {
      if (response.destroyed) return
      // A client that does not read delays only its own events. Newer ones replace them.
      if (!response.write(eventOf(event))) await drained(response)
    }
    if (!response.destroyed) response.end(complete)
  }
}

/** The subscription in a body, if its document is already validated; null if Yoga has to answer. */
function subscriptionIn(body: Buffer, server: DirectPathServer): Asked | null {
  try {
    const params: unknown = JSON.parse(body.toString('utf8'))
    if (!isParams(params)) return null
    const text = server.textOf(params)
    const document = text === undefined ? undefined : server.documentOf(text)
    const operation = document && getOperationAST(document, params.operationName)
    if (!document || operation?.operation !== 'subscription') return null
    // The same string for all subscribers of a document, to save memory.
    return { params: { ...params, query: document.loc?.source.body ?? '' }, document }
  } catch {
    return null
  }
}

/** The status of a refusal, as Yoga sends it: one that is GraphQL's own is an event of a stream like any other. */
function statusOf(result: Executed): number {
  if (Symbol.asyncIterator in result) return 200
  for (const { extensions } of result.errors ?? []) {
    const http = extensions['http']
    if (typeof http === 'object' && http !== null && 'status' in http && !('spec' in http))
      return Number(http.status)
  }
  return 200
}

const eventOf = (result: ExecutionResult): string => `event: next\ndata: ${jsonOf(result)}\n\n`

/** Resolves when a response can be written to again, or is closed. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })
