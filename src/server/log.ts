import { randomUUID } from 'node:crypto'
import { getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { pino } from 'pino'
import type { Logger } from 'pino'
import type { Context } from '../graph/builder.ts'
import type { ServerContext } from './app.ts'

export type Log = Pick<Logger, 'info' | 'error'>

/** A log of one JSON object a line. No key, no query text and no variable is ever written. */
export const logTo = (level: string): Logger => pino({ level, base: null })

/** An id that another server gave the request, where it is one that can be written into a log. */
const given = /^[\w.:-]{1,128}$/

/** Gives each request an id, taken from `x-request-id` or made, answers with it, and logs what the request was and what it cost. */
export function useLog(log: Log): Plugin<ServerContext & Partial<Context>> {
  const seen = new WeakMap<
    Request,
    { readonly id: string; readonly at: number; operation?: string; client?: Context['client'] }
  >()
  return {
    onRequest({ request }) {
      const id = request.headers.get('x-request-id') ?? ''
      seen.set(request, { id: given.test(id) ? id : randomUUID(), at: performance.now() })
    },
    onExecute({ args }) {
      const line = seen.get(args.contextValue.request)
      if (!line) return
      const { client } = args.contextValue
      if (client) line.client = client
      line.operation = getOperationAST(args.document, args.operationName)?.name?.value
    },
    onResponse({ request, response }) {
      const line = seen.get(request)
      if (!line) return
      response.headers.set('x-request-id', line.id)
      const { pathname } = new URL(request.url)
      if (pathname === '/health' || pathname === '/ready' || pathname === '/metrics') return
      const ms = Math.round((performance.now() - line.at) * 10) / 10
      const { id, operation, client } = line
      log.info({
        id,
        method: request.method,
        path: pathname,
        status: response.status,
        ms,
        operation,
        ...client?.usage,
      })
    },
  }
}
