import type { IncomingMessage } from 'node:http'
import { Refusal } from '../refusal.ts'

/** Maximum bytes of a body, and of an address with its headers: more than the longest allowed list of ids. */
export const MAX_BODY = 1024 * 1024

/** A request's body as text. A body that is too large is refused as soon as that is known. */
export async function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) throw tooLarge()
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of chunksOf(request)) {
    length += chunk.length
    if (length > MAX_BODY) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export const tooLarge = () =>
  new Refusal('request_too_large', `A request may have at most ${MAX_BODY} bytes.`)

/** Keeps the connection open for the error body although the request's body was not read to its end. */
async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // Without an encoding, a request's chunks are buffers.
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch {
    throw new Refusal('malformed_request', 'The request was cut off.')
  }
}
