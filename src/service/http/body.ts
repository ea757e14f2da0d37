import type { IncomingMessage } from 'node:http'
import { Refusal } from '../refusal.ts'

/** Bytes of a body, and of an address with its headers: more than any list of ids that one request may hold. */
export const MAX_BODY = 1024 * 1024

/** A request's body as text. One that is too large is refused as soon as that is known. */
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

export const tooLarge = () => new Refusal('request_too_large', `A request may hold ${MAX_BODY} bytes.`)

/** The connection outlives a body that is not read to its end: the refusal still goes out on it. */
async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // Without an encoding set, a request's chunks are buffers.
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch {
    throw new Refusal('malformed_request', 'The request was cut off.')
  }
}
