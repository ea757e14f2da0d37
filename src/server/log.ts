import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import { pino } from 'pino'
import type { Logger } from 'pino'
import type { Context } from '../graph/context.ts'
import { mask } from './errors.ts'
import { beginLine, codeOfStatus, noteOutcome } from './log-line.ts'
import type { Line, SenderOf } from './log-line.ts'
import type { RequestLog } from './request-log.ts'
import { mapped } from './mapped-stream.ts'
import { operationNameOf } from './operation-name.ts'

/** A log with one JSON object in each line. It never contains a key, a query or a variable. */
export const logTo = (level: string): Logger => pino({ level, base: null })

const silent = new Set(['/health', '/ready', '/metrics'])

/**
 * Gives each request an id, from `x-request-id` or a new one, which is also sent in the answer. Logs the
 * request, its sender and its cost: a query when it is answered or refused, a subscription when it is over.
 */
export function useLog(log: RequestLog, senderOf?: SenderOf): Plugin<YogaInitialContext & Partial<Context>> {
  const seen = new WeakMap<Request, Line>()
  return {
    onRequest({ request }) {
      const { pathname: path } = new URL(request.url)
      seen.set(request, beginLine(request.headers.get('x-request-id') ?? undefined, request.method, path))
    },
    onValidate({ params, context }) {
      const { request, params: asked } = context as YogaInitialContext // Yoga's context of every plugin
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
      if (silent.has(line.path)) return
      const { status } = response
      line.status = status
      if (status >= 400 && !line.outcome && !line.over) noteRefused(line, request, status)
      const write = () => log.write(line)
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
    const { request, clientRequest } = contextValue as YogaInitialContext & Partial<Context> // as every plugin here is given it
    const line = seen.get(request)
    if (!line) return undefined
    if (clientRequest) log.begin(line, clientRequest)
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
