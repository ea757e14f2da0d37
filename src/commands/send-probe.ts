import type { Outcome, Probe, Reply } from '../capabilities/questions/question.ts'
import { tokensIn } from '../money/usage-header.ts'
import type { Operation } from '../specification/operation.ts'
import { parseAnswer, NothingFound } from '../wire/answer.ts'
import { encode } from '../wire/encode.ts'
import { Deadline } from '../wire/deadline.ts'
import { CodedError, isUnsent } from '../errors/errors.ts'
import type { Code } from '../errors/errors.ts'
import { obstacleIn } from '../wire/obstacle.ts'
import { withoutKey } from '../account/redaction.ts'
import type { Incoming, Outgoing, Transport } from '../wire/transport.ts'
import type { RawRow } from '../specification/raw-row.ts'

/** The reply to a probe. `trouble` is the reason why no more probes should be sent, if any. */
export interface ProbeResult {
  readonly reply: Reply | null
  readonly trouble: string | null
  /** Whether the probe was not sent, so that it cannot have been billed. */
  readonly isUnsent?: boolean
}

const outcomes: Readonly<Partial<Record<Code, Outcome>>> = {
  ACCESS_DENIED: 'access denied',
  UNAUTHENTICATED: 'key refused',
  BUDGET_EXCEEDED: 'quota spent',
  UNSUPPORTED: 'no such operation',
  UPSTREAM_UNAVAILABLE: 'no answer',
  UPSTREAM_TIMEOUT: 'no answer',
}

/** Findings that change how further probes are sent and read. */
export interface Known {
  readonly areIdsUpper: boolean
  readonly emptyStatus: number | null
}

/** Sends probes over a transport. A failed probe is not repeated. */
export function probeSender(transport: Transport, apiKey: string, timeoutMs: number) {
  return async (probe: Probe, known: Known): Promise<ProbeResult> => {
    const deadline = new Deadline(timeoutMs)
    const outgoing = outgoingOf(probe, apiKey, known, deadline)
    try {
      return read(probe, await transport(outgoing), known, apiKey)
    } catch (error) {
      if (error instanceof CodedError)
        return { reply: null, trouble: troubleOf(error), isUnsent: isUnsent(error) }
      throw error
    } finally {
      deadline.end()
    }
  }
}

/** Why a probe failed, in one line, with the remedy if one is known. */
function troubleOf(error: CodedError): string {
  const obstacle = obstacleIn(error)
  return obstacle ? `${error.message.replace(/\.$/, '')}: ${obstacle.text}` : error.message
}

function outgoingOf(probe: Probe, apiKey: string, { areIdsUpper }: Known, deadline: Deadline): Outgoing {
  const { operation, arguments: values, method, values: how = 'repeated', gzip = false } = probe
  return encode(operation, values, apiKey, deadline, {
    values: how,
    mayPost: method === 'POST',
    addressLength: method === 'POST' ? 0 : Number.POSITIVE_INFINITY,
    areIdsUpper,
    isGzipCheaper: gzip,
  })
}

/** Outcomes after which further probes are not worth their tokens. */
const endings: Readonly<Partial<Record<Outcome, string>>> = {
  'key refused': 'The service does not accept the API key: check UPSTREAM_API_KEY.',
  'quota spent': 'The key’s token limit at the service is reached.',
}

function read(probe: Probe, answer: Incoming, known: Known, apiKey: string): ProbeResult {
  const { status, headers, bytes, failure } = answer
  const { body, outcome, rows, trouble } = opened(probe.operation, answer, known, apiKey)
  const length = headers['content-length']
  const reply: Reply = {
    probe,
    outcome,
    status,
    headers,
    body,
    rows,
    bytes,
    wireBytes: length === undefined ? null : Number(length),
    tokens: tokensIn(headers['x-request-usage']),
  }
  return { reply, trouble: failure?.message ?? trouble ?? endings[outcome] ?? null }
}

interface Opened {
  readonly body: unknown
  readonly outcome: Outcome
  readonly rows: readonly RawRow[]
  readonly trouble?: string | null
}

function opened(operation: Operation, answer: Incoming, { emptyStatus }: Known, apiKey: string): Opened {
  const body = parsed(answer.body)
  try {
    const answered = withoutKey(parseAnswer(answer, operation, emptyStatus), answer.body, apiKey)
    const rows = rowsOf(operation, answered)
    return { body, outcome: rows.length > 0 ? 'rows' : 'nothing', rows }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    if (error instanceof NothingFound) return { body, outcome: 'nothing', rows: [] }
    const outcome = outcomes[error.code] ?? 'error'
    // For example a proxy's page: the service will not answer at this address.
    const isOther = outcome === 'error' && body === undefined && answer.status < 300
    return { body, outcome, rows: [], trouble: isOther || obstacleIn(error) ? troubleOf(error) : null }
  }
}

function rowsOf({ answer, yields }: Operation, body: RawRow): readonly RawRow[] {
  if (Object.keys(body).length === 0) return []
  if (answer === 'row' || yields === 'search') return [body]
  return Object.values(body).filter(
    (row): row is RawRow => typeof row === 'object' && row !== null && !Array.isArray(row),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
