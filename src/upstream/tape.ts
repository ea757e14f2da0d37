import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { UpstreamError } from './errors.ts'
import { nameOf } from '../specification/operation.ts'
import type { Argument } from '../specification/operation.ts'
import type { Incoming, Outgoing, Transport } from './transport.ts'

/** Whether a tape is recorded or replayed, and its file. */
export interface Tape {
  readonly mode: 'record' | 'replay'
  readonly file: string
}

/** A tape cannot be written or read. The message is one line. */
export class TapeError extends Error {
  override readonly name = 'TapeError'
}

/** One answer with its bill, a line of the tape. It contains neither the key nor an address. */
interface Recorded extends Pick<Incoming, 'status' | 'headers' | 'body' | 'bytes'> {
  readonly call: string
}

/** The headers about the bill, retries and randomized values. */
const kept = ['x-request-usage', 'retry-after', 'content-type', 'x-data-quality']

const sorted = (value: Argument): Argument => (typeof value === 'object' ? value.toSorted() : value)

/** Identifies a call by its operation and its arguments in any order. */
function callOf({ operation, arguments: values }: Pick<Outgoing, 'operation' | 'arguments'>): string {
  const entries = Object.entries(values).map(([name, value]) => [name, sorted(value)] as const)
  return `${nameOf(operation)} ${JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))}`
}

/**
 * Records every complete answer on a new tape. Throws TapeError. If writing fails later, answers are still
 * returned, because they are paid for, and the failure is reported once.
 */
export function recording(transport: Transport, file: string, warn = console.warn): Transport {
  onTape(file, 'written', () => writeFileSync(file, ''))
  let isWritten = true
  const write = (line: Recorded) => {
    try {
      // What failed may have written a part of its line.
      appendFileSync(file, `${isWritten ? '' : '\n'}${JSON.stringify(line)}\n`)
      isWritten = true
    } catch {
      if (isWritten) warn(`${fault(file, 'written')} Answers are missing on it.`)
      isWritten = false
    }
  }
  const send = async (request: Outgoing): Promise<Incoming> => {
    const answer = await transport(request)
    if (answer.failure) return answer
    const { status, body, bytes } = answer
    const headers = Object.fromEntries(
      kept.flatMap((name) => (answer.headers[name] ? [[name, answer.headers[name]]] : [])),
    )
    write({ call: callOf(request), status, headers, body, bytes })
    return answer
  }
  return Object.assign(send, { close: async () => transport.close?.() })
}

/**
 * Answers from a tape, in the order of recording. The last answer to a call is repeated. A call that is not
 * on the tape fails and costs nothing. Lines that were cut off are left out with a warning. Throws TapeError.
 */
export function replaying(file: string, warn = console.warn): Transport {
  const answers = readTape(file, warn)
  return async (request) => {
    const call = callOf(request)
    const left = answers.get(call)
    const answer = left && left.length > 1 ? left.shift() : left?.[0]
    if (!answer) return missing(call)
    request.onHeaders?.(answer.headers)
    return answer
  }
}

const missing = (call: string): Incoming => ({
  status: 200,
  headers: { 'x-request-usage': '0' },
  body: '',
  bytes: 0,
  failure: new UpstreamError(`The tape has no answer to ${call}. Record it again.`),
})

function readTape(file: string, warn: (text: string) => void): Map<string, Recorded[]> {
  const { lines, cut } = onTape(file, 'read', () => linesIn(readFileSync(file, 'utf8')))
  if (cut > 0)
    warn(
      `UPSTREAM_TAPE names ${JSON.stringify(file)}, which has ${cut} ${cut === 1 ? 'line that was' : 'lines that were'} cut off. Answers are missing on it.`,
    )
  const answers = new Map<string, Recorded[]>()
  for (const line of lines) {
    const known = answers.get(line.call)
    if (known) known.push(line)
    else answers.set(line.call, [line])
  }
  return answers
}

/**
 * The lines of a tape, and the number of those that were cut off, because the process was killed or the disk
 * was full. Throws if it is not a tape.
 */
function linesIn(text: string): { readonly lines: readonly Recorded[]; readonly cut: number } {
  const all = text.split('\n').filter(Boolean)
  const lines = all.flatMap((line) => {
    const parsed = parsedLine(line)
    return parsed === undefined ? [] : [recordedIn(parsed)]
  })
  const cut = all.length - lines.length
  if (cut > 0 && lines.length === 0) throw new Error('This is not a tape.')
  return { lines, cut }
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Parses a line of a tape. Throws if it is invalid. */
function recordedIn(line: unknown): Recorded {
  const { call, status, headers, body, bytes } = line as Partial<Recorded> // each is looked at
  if (typeof call !== 'string' || typeof status !== 'number' || typeof body !== 'string' || !headers)
    throw new Error('This is not a line of a tape.')
  return { call, status, headers, body, bytes: bytes ?? Buffer.byteLength(body) }
}

const fault = (file: string, what: string) =>
  `UPSTREAM_TAPE names ${JSON.stringify(file)}, which cannot be ${what}.`

function onTape<T>(file: string, what: string, work: () => T): T {
  try {
    return work()
  } catch {
    throw new TapeError(fault(file, what))
  }
}
