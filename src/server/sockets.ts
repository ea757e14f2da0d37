import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { getOperationAST, GraphQLError } from 'graphql'
import type { ExecutionArgs } from 'graphql'
import { CloseCode } from 'graphql-ws'
import { useServer } from 'graphql-ws/use/ws'
import type { Extra } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { GraphQLParams } from 'graphql-yoga'
import { faultOfExtensions } from './caller.ts'
import type { AddressOf } from './client-address.ts'
import type { FindText } from './documents.ts'
import { mask, resultWithoutStatus, withoutStatus } from './errors.ts'
import { heartbeatMs } from './heartbeat.ts'
import { largestBody } from './limits.ts'
import { beginLine, noteOutcome } from './log-line.ts'
import type { Line, SenderOf } from './log-line.ts'
import { onlyOne } from './mapped-stream.ts'
import { noOperation, operationNameOf } from './operation-name.ts'
import { malformed } from './request-checks.ts'
import { faultOfJson, isLongId, isTooDeep } from './request-json.ts'
import { requestLike } from './request-like.ts'
import type { RequestLike } from './request-like.ts'
import { QuietSocket, SocketFlow } from './socket-flow.ts'
import { SocketEvents } from './socket-events.ts'
import { metered } from './steps.ts'
import type { Executed, Steps, StepsOf } from './steps.ts'
import type { Logs } from './refused-requests.ts'
import { refuseForNow, refuseUpgrade } from './refused-upgrade.ts'
import { longestInput } from './subscription-limits.ts'
import type { SubscriptionLimits } from './subscription-limits.ts'

/** WebSockets of a server. */
export interface Sockets {
  /** Takes a connection over, or refuses it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes all without `complete`, so that clients reconnect to another instance. */
  close(): void
}

export interface SocketParts {
  /** Whether requests with these headers may be answered at all. */
  readonly isAllowed: (headers: IncomingHttpHeaders) => boolean
  readonly findText: FindText
  readonly limits: SubscriptionLimits
  readonly addressOf: AddressOf
  readonly logs: Logs | null
  readonly senderOf: SenderOf
  /** Called with the errors of each operation that is refused before it is executed. */
  readonly onRefused: (errors: readonly GraphQLError[]) => void
  readonly stepsOf: StepsOf
}

/** "Service restart": clients of graphql-ws reconnect. */
const restarting = 1012

/** As graphql-ws says it of a message that is not JSON. */
const badMessage = 'Invalid message received'

/** What clients may send as `connectionParams`, because browsers send no headers with a WebSocket. */
const parameterNames: ReadonlySet<string> = new Set([
  'x-api-key',
  'graphql-client-name',
  'apollographql-client-name',
])

/** A running operation. */
interface Operation {
  readonly id: string
  readonly socket: WebSocket
  readonly steps: Steps
  readonly params: GraphQLParams
  readonly line: Line
}

/** GraphQL over WebSocket (graphql-ws), by the same rules and with the same bills as over HTTP. */
export function socketsOf({ findText, limits, logs, stepsOf, ...parts }: SocketParts): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: largestBody, WebSocket: QuietSocket })
  const open = new Map<string, number>()
  let isClosing = false
  const inFlight = new WeakMap<object, Operation>()
  const flows = new WeakMap<object, SocketFlow>()
  useServer<Record<string, unknown>>(
    {
      // graphql-ws keeps them as long as the connection. They stand for headers, which have at most 16 kB.
      onConnect: ({ connectionParams = {} }) =>
        !isTooDeep(connectionParams) && JSON.stringify(connectionParams).length <= longestInput,
      onPing({ extra }, payload = {}) {
        if (!isTooDeep(payload)) return
        extra.socket.close(CloseCode.BadRequest, badMessage)
        // graphql-ws repeats it in its pong.
        for (const name of Object.keys(payload)) delete payload[name]
      },
      async onSubscribe({ connectionParams, extra }, id, payload) {
        if (isLongId(id)) {
          extra.socket.close(CloseCode.BadRequest, badMessage)
          return [new GraphQLError(badMessage)]
        }
        const params: GraphQLParams = {
          ...payload,
          variables: payload.variables ?? {},
          operationName: payload.operationName ?? undefined,
          extensions: payload.extensions ?? undefined,
        }
        const line = { ...beginLine(extra.request.headers['x-request-id'], 'GET'), status: 101 }
        const flow = flows.get(extra.socket)
        const initial = initialOf(extra, connectionParams, params)
        const refused = (errors: readonly unknown[]) =>
          refuse(line, initial, errors.map(mask).map(withoutStatus))
        try {
          const steps = stepsOf(initial)
          const begin = () => flow?.begin(id, JSON.stringify(payload).length)
          const args = await argumentsOf(steps, { params, line }, findText, begin)
          if (Array.isArray(args)) return refused(args)
          // graphql-ws keeps the payload while the operation runs: one text for all with this document.
          params.query = args.document.loc?.source.body ?? ''
          Object.assign(payload, { query: params.query })
          inFlight.set(args, { id, socket: extra.socket, steps, params, line })
          return args
        } catch (error) {
          flow?.end(id)
          return refused([error])
        }
      },
      execute: (args) => run(args, (steps) => steps.execute),
      onComplete: ({ extra }, id) => flows.get(extra.socket)?.end(id),
      subscribe: (args) => run(args, (steps) => steps.subscribe),
    },
    server,
    // A client that has not answered a ping before the next is disconnected.
    heartbeatMs,
  )

  async function run(args: object, step: (steps: Steps) => Steps['execute']): Promise<Executed> {
    const operation = inFlight.get(args)
    if (!operation) throw new Error('An operation is run that was never begun.')
    const { id, socket, steps, params, line } = operation
    // graphql-ws passes on what onSubscribe made.
    const result = await metered(args as ExecutionArgs, params, line, step(steps), logs?.log)
    const stream = Symbol.asyncIterator in result ? result : onlyOne(resultWithoutStatus(result))
    return new SocketEvents(stream, socket, id)
  }

  /** Logs and counts an operation that is not executed. Returns its errors. */
  function refuse(line: Line, { request }: Initial, errors: readonly GraphQLError[]) {
    line.client = parts.senderOf((name) => request.headers.get(name))
    noteOutcome(line, { errors })
    logs?.log.write(line)
    parts.onRefused(errors)
    return errors
  }

  function count(client: string, change: 1 | -1): void {
    const left = (open.get(client) ?? 0) + change
    if (left > 0) open.set(client, left)
    else open.delete(client)
  }

  /** The status with which an upgrade is refused; null if it is not. */
  function refusalOf({ headers, url = '' }: IncomingMessage, client: string): number | null {
    if (isClosing) return 503
    if (!parts.isAllowed(headers)) return 403
    if (!/^\/graphql(\?|$)/.test(url)) return 404
    return server.clients.size >= limits.inTotal || (open.get(client) ?? 0) >= limits.perClient ? 429 : null
  }

  return {
    upgrade(request, socket, head) {
      const client = parts.addressOf(request)
      const status = refusalOf(request, client)
      if (status !== null) {
        const id = logs?.logRefused(request, status)
        const headers = id === undefined ? [] : [`x-request-id: ${id}`]
        return status === 503 ? refuseForNow(socket, ...headers) : refuseUpgrade(socket, status, ...headers)
      }
      server.handleUpgrade(request, socket, head, (accepted) => {
        count(client, 1)
        flows.set(accepted, new SocketFlow(accepted, socket))
        accepted.once('close', () => {
          count(client, -1)
          const code = codeOfClose(accepted.closedWith)
          if (code !== null) logs?.logRefused(request, 101, code)
        })
        server.emit('connection', accepted, request)
      })
    },
    close() {
      isClosing = true
      for (const socket of server.clients) socket.close(restarting, 'Service restart')
    },
  }
}

/** The code of the log for a connection that was closed for a fault of its client: `BAD_REQUEST` for 4400. */
const codeOfClose = (closedWith: number | null): string | null =>
  closedWith !== null && closedWith in CloseCode
    ? String(CloseCode[closedWith])
        .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
        .toUpperCase()
    : null

/** What the plugins are given in place of an HTTP request. */
interface Initial {
  readonly request: RequestLike
  readonly req: IncomingMessage
  readonly params: GraphQLParams
}

function initialOf({ request }: Extra, parameters: unknown, params: GraphQLParams): Initial {
  const given = Object.entries(parameters ?? {})
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => parameterNames.has(name) && typeof value === 'string')
  const headers = given.length > 0 ? { ...request.headers, ...Object.fromEntries(given) } : request.headers
  return { request: requestLike(headers, 'GET'), req: request, params }
}

/** The arguments of an operation, or the errors in its document. A query waits for its turn. Notes its name. */
async function argumentsOf(
  steps: Steps,
  { params, line }: Pick<Operation, 'params' | 'line'>,
  findText: FindText,
  turn: () => Promise<void> | undefined,
) {
  // Before anything reads them: only this operation fails, not the others on its connection.
  const badJson = faultOfJson(params)
  if (badJson !== null) throw malformed(badJson)
  const fault = faultOfExtensions(params.extensions)
  if (fault) throw fault
  const document = steps.parse(findText(params) ?? '')
  line.operation = operationNameOf(document, params.operationName)
  const errors = steps.validate(steps.schema, document)
  if (errors.length > 0) return [...errors]
  const operation = getOperationAST(document, params.operationName)
  if (!operation) throw noOperation()
  if (operation.operation !== 'subscription') await turn()
  return {
    schema: steps.schema,
    document,
    operationName: params.operationName,
    variableValues: params.variables,
    contextValue: await steps.contextFactory(),
  }
}
