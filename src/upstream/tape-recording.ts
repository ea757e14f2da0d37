import { appendFileSync, writeFileSync } from 'node:fs'
import { listedName } from './replay.ts'
import { callOf, fault, onTape } from './tape.ts'
import type { Beginning, FirstLine, Recorded } from './tape.ts'
import type { Incoming, Outgoing, Transport } from './transport.ts'

/** The headers about the bill, retries and randomized values. */
const kept = ['x-request-usage', 'retry-after', 'content-type', 'x-data-quality']

interface RecordingOptions {
  readonly warn?: (text: string) => void
  /** Written on the first line, if given. */
  readonly beginning?: Beginning
}

/**
 * Records every complete answer on a new tape. Throws TapeError. If writing fails later, answers are still
 * returned, because they are paid for, and the failure is reported once.
 */
export function recording(
  transport: Transport,
  file: string,
  { warn = console.warn, beginning }: RecordingOptions = {},
): Transport {
  onTape(file, 'written', () => writeFileSync(file, beginning ? firstLine(beginning) : ''))
  const keys = new Map<string, number>()
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
    write({
      call: callOf(request),
      operation: listedName(request.operation),
      key: numberOf(keys, request.apiKey),
      status,
      headers,
      body,
      bytes,
    })
    return answer
  }
  return Object.assign(send, { close: async () => transport.close?.() })
}

const firstLine = (beginning: Beginning): string => `${JSON.stringify({ beginning } satisfies FirstLine)}\n`

/** The number of a key. A number tells nothing of the key, which a hash would. */
function numberOf(keys: Map<string, number>, apiKey: string): number {
  const number = keys.get(apiKey) ?? keys.size
  keys.set(apiKey, number)
  return number
}
