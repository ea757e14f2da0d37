import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { UpstreamError } from './errors.ts'
import { nameOf } from '../specification/operations.ts'
import type { Argument } from '../specification/operations.ts'
import type { Incoming, Outgoing, Transport } from './transport.ts'

/** What is done with a tape, and its file. */
export interface Tape {
  readonly mode: 'record' | 'replay'
  readonly file: string
}

/** A tape cannot be written or read. The message is one line. */
export class TapeError extends Error {
  override readonly name = 'TapeError'
}

/** One answer of the service with its bill, as a line of the tape. Neither the key nor an address is on it. */
interface Recorded extends Pick<Incoming, 'status' | 'headers' | 'body' | 'bytes'> {
  readonly call: string
}

/** Headers that tell what is billed and when to come back. */
const kept = ['x-request-usage', 'retry-after', 'content-type']

const sorted = (value: Argument): Argument => (typeof value === 'object' ? value.toSorted() : value)

/** A call by its operation and arguments, whatever their order. */
function callOf({ operation, arguments: values }: Pick<Outgoing, 'operation' | 'arguments'>): string {
  const entries = Object.entries(values).map(([name, value]) => [name, sorted(value)] as const)
  return `${nameOf(operation)} ${JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))}`
}

/** Writes every complete answer of the service to a new tape. Throws TapeError. */
export function recording(transport: Transport, file: string): Transport {
  onTape(file, 'written', () => writeFileSync(file, ''))
  const send = async (request: Outgoing): Promise<Incoming> => {
    const answer = await transport(request)
    if (answer.failure) return answer
    const { status, body, bytes } = answer
    const headers = Object.fromEntries(
      kept.flatMap((name) => (answer.headers[name] ? [[name, answer.headers[name]]] : [])),
    )
    const line: Recorded = { call: callOf(request), status, headers, body, bytes }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    return answer
  }
  return Object.assign(send, { close: async () => transport.close?.() })
}

/** Answers from a tape, in the order of recording; the last answer to a call is repeated. Throws TapeError. */
export function replaying(file: string): Transport {
  const answers = readTape(file)
  return async (request) => {
    const call = callOf(request)
    const left = answers.get(call)
    const answer = left && left.length > 1 ? left.shift() : left?.[0]
    if (!answer) throw new UpstreamError(`The tape has no answer to ${call}. Record it again.`)
    request.onHeaders?.(answer.headers)
    return answer
  }
}

function readTape(file: string): Map<string, Recorded[]> {
  const lines = onTape(
    file,
    'read',
    () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Recorded), // written by recording()
  )
  const answers = new Map<string, Recorded[]>()
  for (const line of lines) answers.set(line.call, [...(answers.get(line.call) ?? []), line])
  return answers
}

function onTape<T>(file: string, what: string, work: () => T): T {
  try {
    return work()
  } catch {
    throw new TapeError(`UPSTREAM_TAPE names ${JSON.stringify(file)}, which cannot be ${what}.`)
  }
}
