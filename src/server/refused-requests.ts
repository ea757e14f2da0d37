import type { IncomingMessage } from 'node:http'
import { beginLine, codeOfStatus, writeLine } from './log.ts'
import type { Line, Log, SenderOf } from './log.ts'
import { report } from './report.ts'
import { requestLike } from './request-like.ts'

/** What the log says of a request that its client has given up, as nginx does. */
const givenUp = [499, 'CLIENT_CLOSED_REQUEST'] as const

/** Where requests are logged. */
export interface Logs {
  readonly log: Log
  readonly logRefused: LogRefused
}

/** Logs a request whose query is never read. Returns the id for its answer. */
export type LogRefused = (request: IncomingMessage, status: number, code?: string) => string

export const refusalsIn =
  (log: Log, senderOf?: SenderOf): LogRefused =>
  ({ method = '', url = '', headers }, status, code = codeOfStatus(status)) => {
    const line: Line = { ...beginLine(headers['x-request-id']), outcome: 'failed', codes: [code] }
    const sent = requestLike(headers, 'POST').headers
    if (senderOf) line.client = senderOf((name) => sent.get(name))
    try {
      writeLine(log, line, { method, path: url.replace(/\?.*/s, ''), status })
    } catch (error) {
      // No one else would catch it: the request is answered without GraphQL, or is over.
      report(error)
    }
    return line.id
  }

/** Logs a request whose client is gone before its body has come. */
export const logCut = (logs: Logs | null, request: IncomingMessage): void =>
  void logs?.logRefused(request, ...givenUp)
