import type { IncomingMessage } from 'node:http'
import { beginLine, codeOfStatus, givenUp } from './log-line.ts'
import type { Line, SenderOf } from './log-line.ts'
import { report } from './report.ts'
import type { RequestLog } from './request-log.ts'
import { requestLike } from './request-like.ts'

/** Where requests are logged. */
export interface Logs {
  readonly log: RequestLog
  readonly logRefused: LogRefused
}

/** Logs a request whose query is never read. Returns the id for its answer. */
export type LogRefused = (request: IncomingMessage, status: number, code?: string) => string

export const refusalsIn =
  (log: RequestLog, senderOf?: SenderOf): LogRefused =>
  ({ method = '', url = '', headers }, status, code = codeOfStatus(status)) => {
    const begun = beginLine(headers['x-request-id'], method, url.replace(/\?.*/s, ''))
    const line: Line = { ...begun, status, outcome: 'failed', codes: [code] }
    const sent = requestLike(headers, 'POST').headers
    if (senderOf) line.client = senderOf((name) => sent.get(name))
    try {
      log.write(line)
    } catch (error) {
      // No one else would catch it: the request is answered without GraphQL, or is over.
      report(error)
    }
    return line.id
  }

/** Logs a request whose client is gone before its body has come. */
export const logCut = (logs: Logs | null, request: IncomingMessage): void =>
  void logs?.logRefused(request, ...givenUp)
