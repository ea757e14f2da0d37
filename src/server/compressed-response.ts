import type { IncomingMessage, ServerResponse } from 'node:http'
import { codingFor, compressedAs, leastEncoded } from './packed.ts'
import type { Coding } from './packed.ts'
import { report } from './report.ts'

const text = /json|javascript|text\/(?!event-stream)|svg/

/**
 * Compresses what is written to a response, if its type is text that may be compressed and the client accepts a coding.
 * It is sent once it is whole: whatever is written in parts over time, such as events, has another type.
 */
export function compressWrites(request: IncomingMessage, response: ServerResponse): void {
  // The parameters have several forms, and are passed on as given.
  const writeHead = response.writeHead.bind(response) as (...given: readonly unknown[]) => ServerResponse
  Object.assign(response, {
    writeHead(...given: readonly unknown[]) {
      const coding = codingOf(request, response)
      if (coding === null) return writeHead(...given)
      compressWhole(response, coding, () => void writeHead(...given))
      return response
    },
  })
}

/** The coding of a response whose headers are set; null if it is sent as it is. Sets `Vary`. */
function codingOf({ headers, method }: IncomingMessage, response: ServerResponse): Coding | null {
  if (response.hasHeader('content-encoding') || !text.test(String(response.getHeader('content-type'))))
    return null
  if (String(response.getHeader('cache-control')).includes('no-transform')) return null
  response.appendHeader('vary', 'Accept-Encoding')
  return method === 'HEAD' ? null : codingFor(headers)
}

function compressWhole(response: ServerResponse, coding: Coding, begin: () => void): void {
  const end = response.end.bind(response)
  const chunks: Buffer[] = []
  const send = (bytes: Buffer) => {
    response.setHeader('content-length', bytes.length)
    begin()
    end(bytes)
  }
  Object.assign(response, {
    write: (chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk as string)) > 0, // either is copied
    end(chunk?: string | Uint8Array | null) {
      if (chunk !== undefined && chunk !== null) chunks.push(Buffer.from(chunk as string)) // as above
      const bytes = Buffer.concat(chunks)
      if (bytes.length < leastEncoded) send(bytes)
      else
        void compressedAs(bytes, coding).then(
          (coded) => {
            response.setHeader('content-encoding', coding)
            send(coded)
          },
          (error: unknown) => {
            report(error)
            send(bytes)
          },
        )
      return response
    },
  })
}
