import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { ExecutionResult } from 'graphql'
import type { Context } from '../graph/context.ts'
import { rounded } from '../money/rounded.ts'
import { CodedError } from '../errors/errors.ts'

/** The request's id from another server, if it can be written into a log. */
const given = /^[\w.:-]{1,128}$/

/** Who spent what in a request. A kept answer spends nothing. */
export interface Spender extends Pick<
  Context['clientRequest'],
  'spent' | 'client' | 'tokensByOperation' | 'attempts'
> {
  readonly account: { readonly fingerprint: string | null }
  readonly isClosed?: boolean
}

/** The sender of a request that is never executed, from its headers. */
export type SenderOf = (header: (name: string) => string | null) => Spender

type Outcome = 'ok' | 'partial' | 'failed' | 'cut' | 'closed'

/** What is known of a request. */
export interface Line {
  readonly id: string
  readonly at: number
  readonly method: string
  readonly path: string
  /** The status of its answer, as soon as there is one. */
  status?: number
  operation?: string
  client?: Spender | undefined
  /** Whether all fields were answered, some, or none, a stop cut it off, or its client left; and the codes. */
  outcome?: Outcome
  codes?: readonly string[]
  /** Events that a subscription has brought, and when it is over. */
  events?: number
  over?: Promise<void>
  /** Whether a stop has cut it off, which has its own line. */
  isCut?: boolean
}

/** What the log says of a request that its client has given up, as nginx does. */
export const givenUp = [499, 'CLIENT_CLOSED_REQUEST'] as const

/** Begins the line of a request, with its `x-request-id` or a new id. */
export const beginLine = (id: string | string[] = '', method = 'POST', path = '/graphql'): Line => ({
  id: typeof id === 'string' && given.test(id) ? id : randomUUID(),
  at: performance.now(),
  method,
  path,
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

const roundedEach = (sums: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, rounded(sum)]))

/** The content of a line. */
export function loggedLine({ at, client, ...line }: Line): object {
  const ms = Math.round((performance.now() - at) * 10) / 10
  const spent = client && {
    client: client.client,
    key: client.account.fingerprint,
    ...client.spent,
    tokensByOperation: roundedEach(client.tokensByOperation),
    attempts: client.attempts,
  }
  const { id, method, path, status, operation, events, outcome, codes } = line
  return { id, method, path, status, ms, operation, events, outcome, codes, ...spent }
}
