import { createHash } from 'node:crypto'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { lockFile } from '../../money/files/locked-file.ts'
import { CodedError } from '../../errors/errors.ts'
import { written } from './recorded-failure.ts'
import type { WrittenFailure } from './recorded-failure.ts'
import { hostsOf, redacted } from '../../account/redaction.ts'
import { listedName } from '../../specification/operations.ts'
import { callOf, fault, onTape, TapeError } from './tape.ts'
import type { Recorded } from '../../wire/not-recorded.ts'
import type { Beginning, FirstLine } from './tape.ts'
import type { Incoming, Outgoing, Transport } from '../../wire/transport.ts'

/** The headers about the bill, retries and randomized values. */
const kept = ['x-request-usage', 'retry-after', 'content-type', 'x-data-quality']

interface RecordingOptions {
  readonly warn?: (text: string) => void
  /** Written on the first line, if given. */
  readonly beginning?: Beginning
  /** The service's address, which is not written. */
  readonly address?: string
}

type Line = Omit<Recorded, 'failure'> & { readonly failure?: WrittenFailure }

/**
 * Records every answer, and every request without one, on a new tape. Throws TapeError, also if another process
 * records on it. If writing fails later, answers are still returned, because they are paid for, and the failure is
 * reported once.
 */
export function recording(
  transport: Transport,
  file: string,
  { warn = console.warn, beginning, address = '' }: RecordingOptions = {},
): Transport {
  const unlock = locked(file)
  onTape(file, 'written', () => writeFileSync(file, beginning ? firstLine(beginning) : ''))
  const keys = new Map<string, number>()
  const hosts = hostsOf(address)
  let isClosing = false
  let isWritten = true
  const write = (line: Line) => {
    try {
      // What failed may have written a part of its line.
      appendFileSync(file, `${isWritten ? '' : '\n'}${JSON.stringify(line)}\n`)
      isWritten = true
    } catch {
      if (isWritten) warn(`${fault(file, 'written')} Answers are missing on it.`)
      isWritten = false
    }
  }
  const record = (request: Outgoing, { status, headers, body, bytes, failure }: Incoming) => {
    const clean = (text: string) => redacted(text, request.apiKey, hosts)
    write({
      call: callOf(request),
      operation: listedName(request.operation),
      key: numberOf(keys, request.apiKey),
      status,
      headers: Object.fromEntries(
        kept.flatMap((name) => {
          const value = headers[name]
          return value ? [[name, typeof value === 'string' ? clean(value) : value.map(clean)]] : []
        }),
      ),
      body: clean(body),
      bytes,
      ...(failure && { failure: written(failure) }),
    })
  }
  const send = async (request: Outgoing): Promise<Incoming> => {
    try {
      const answer = await transport(request)
      if (!isClosing || !answer.failure) record(request, answer)
      return answer
    } catch (error) {
      if (!isClosing && error instanceof CodedError) record(request, { ...nothingCame, failure: error })
      throw error
    }
  }
  const close = async () => {
    // Calls that are cut off by the end of the process did not fail.
    isClosing = true
    await transport.close?.()
    unlock()
  }
  return Object.assign(send, { close })
}

/** Keeps other processes from recording on a tape. Returns what ends that. Throws TapeError if one does. */
function locked(file: string): () => void {
  onTape(file, 'written', () => appendFileSync(file, ''))
  const lockedFile = `${file}.lock`
  const lock = lockFile(lockedFile)
  if (lock === 'taken') throw new TapeError(fault(file, 'written, because another process records on it'))
  return () => {
    rmSync(lockedFile, { force: true })
    if (typeof lock !== 'string') lock?.close()
  }
}

const nothingCame = { status: 0, headers: {}, body: '', bytes: 0 }

const firstLine = (beginning: Beginning): string => `${JSON.stringify({ beginning } satisfies FirstLine)}\n`

/** The number of a key. A number tells nothing of the key, which a hash would. Keys may be long, so they are hashed here. */
function numberOf(keys: Map<string, number>, apiKey: string): number {
  const name = createHash('sha256').update(apiKey).digest('base64url')
  const number = keys.get(name) ?? keys.size
  keys.set(name, number)
  return number
}
