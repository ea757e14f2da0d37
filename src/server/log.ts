import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { pino } from 'pino'
import type { Logger } from 'pino'
import type { Context } from '../graph/context.ts'
import { rounded } from '../money/rounded.ts'
import { CodedError } from '../upstream/errors.ts'
import { mask } from './errors.ts'
import type { ServerContext } from './server-context.ts'
import { mapped } from './mapped-stream.ts'
import { operationNameOf } from './operation-name.ts'

export type Log = Pick<Logger, 'info' | 'error'>

/** A log with one JSON object in each line. It never contains a key, a query or a variable. */
export const logTo = (level: string): Logger => pino({ level, base: null })

/** The request's id from another server, if it can be written into a log. */
const given = /^[\w.:-]{1,128}$/

/** Who spent what in a request. A kept answer spends nothing. */
export interface Spender extends Pick<
  Context['client'],
  'spent' | 'client' | 'tokensByOperation' | 'attempts'
> {
  readonly account: { readonly fingerprint: string | null }
}

/** The sender of a request that is never executed, from its headers. */
export type SenderOf = (header: (name: string) => string | null) => Spender

type Outcome = 'ok' | 'partial' | 'failed'

/** What is known of a request. */
export interface Line {
  readonly id: string
  readonly at: number
  operation?: string
  client?: Spender
  /** Whether all fields were answered, some, or none; and the codes of the errors. */
  outcome?: Outcome
  codes?: readonly string[]
  /** Events that a subscription has brought, and when it is over. */
  events?: number
  over?: Promise<void>
}

const silent = new Set(['/health', '/ready', '/metrics'])

/** Begins the line of a request, with its `x-request-id` or a new id. */
export const beginLine = (id: string | string[] = ''): Line => ({
  id: typeof id === 'string' && given.test(id) ? id : randomUUID(),
  at: performance.now(),
})

/** Notes the outcome of a result in a line; of a subscription's events, the worst. */
export function noteOutcome(
  line: Line,
  { data, errors = [] }: Pick<ExecutionResult, 'data' | 'errors'>,
): void {
  if (errors.length > 0) {
    const codes = errors.map(({ extensions, originalError }) =>
      String(extensions?.['code'] ?? (originalError instanceof CodedError ? originalError.code : 'UNKNOWN')),
    )
    line.codes = [...new Set([...(line.codes ?? []), ...codes])].toSorted()
    line.outcome = data === null || data === undefined || line.outcome === 'failed' ? 'failed' : 'partial'
  } else line.outcome ??= 'ok'
}

/** The code of a request that a status alone refuses: `NOT_FOUND` for 404. */
export const codeOfStatus = (status: number): string =>
  (STATUS_CODES[status] ?? 'UNKNOWN').toUpperCase().replaceAll(/\W+/g, '_')

/** Writes the line of a request that is over. */
export function writeLine(log: Log, line: Line, answered: Answered): void {
  log.info(told(line, answered))
}

/** How a request was answered. */
interface Answered {
  readonly method: string
  readonly path: string
  readonly status: number
}

/**
 * Gives each request an id, from `x-request-id` or a new one, which is also sent in the answer. Logs the
 * request, its sender and its cost: a query when it is answered or refused, a subscription when it is over.
 */
export function useLog(log: Log, senderOf?: SenderOf): Plugin<ServerContext & Partial<Context>> {
  const seen = new WeakMap<Request, Line>()
  return {
    onRequest({ request }) {
      seen.set(request, beginLine(request.headers.get('x-request-id') ?? undefined))
    },
    onValidate({ params, context }) {
      const { request, params: asked } = context as ServerContext // Yoga's context of every plugin
      const line = seen.get(request)
      if (line) line.operation = operationNameOf(params.documentAST, asked.operationName)
    },
    onExecute: ({ args }) => void note(args),
    onSubscribe({ args }) {
      const line = note(args)
      return {
        onSubscribeResult({ result, setResult }) {
          if (!line || !(Symbol.asyncIterator in result)) return
          line.events = 0
          line.over = new Promise((end) => {
            const onEnd = (error?: unknown) => {
              if (error !== undefined) noteOutcome(line, { errors: [mask(error)] })
              end()
            }
            setResult(mapped(result, counted(line), { onEnd }))
          })
        },
      }
    },
    onResultProcess({ request, result }) {
      const line = seen.get(request)
      if (!line || Array.isArray(result) || Symbol.asyncIterator in result) return
      noteOutcome(line, result)
      if (senderOf) line.client ??= senderOf((name) => request.headers.get(name))
    },
    onResponse({ request, response }) {
      const line = seen.get(request)
      if (!line) return
      response.headers.set('x-request-id', line.id)
      const { pathname: path } = new URL(request.url)
      if (silent.has(path)) return
      const { status } = response
      if (status >= 400 && !line.outcome && !line.over) noteRefused(line, request, status)
      const write = () => writeLine(log, line, { method: request.method, path, status })
      const isStream = response.headers.get('content-type') === 'text/event-stream'
      if (isStream && line.over) void line.over.then(write)
      else write()
    },
  }

  /** Notes a request that a status alone refuses, before its query is read. */
  function noteRefused(line: Line, request: Request, status: number): void {
    line.outcome = 'failed'
    line.codes = [codeOfStatus(status)]
    if (senderOf) line.client ??= senderOf((name) => request.headers.get(name))
  }

  function note({ contextValue }: ExecutionArgs): Line | undefined {
    const { request, client } = contextValue as ServerContext & Partial<Context> // as every plugin here is given it
    const line = seen.get(request)
    if (!line) return undefined
    if (client) line.client = client
    return line
  }
}

const counted =
  (line: Line) =>
  <T extends ExecutionResult>(event: T): T => {
    line.events = (line.events ?? 0) + 1
    noteOutcome(line, event)
    return event
  }

const roundedEach = (sums: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, rounded(sum)]))

function told({ id, at, operation, events, client, outcome, codes }: Line, answered: object): object {
  const ms = Math.round((performance.now() - at) * 10) / 10
  const spent = client && {
    client: client.client,
    key: client.account.fingerprint,
    ...client.spent,
    tokensByOperation: roundedEach(client.tokensByOperation),
    attempts: client.attempts,
  }
  return { id, ...answered, ms, operation, events, outcome, codes, ...spent }
}
