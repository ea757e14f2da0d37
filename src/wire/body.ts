import { getHeapStatistics } from 'node:v8'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The answer is larger than allowed, on the wire or decompressed. */
export class TooLargeError extends Error {}

const mebibyte = 1_048_576

/**
 * Maximum bytes of one answer. A parsed answer takes up to ten times its bytes, so the default is a sixteenth
 * of the heap, from 8 to 64 MiB. The largest answers of a full season have about 20 MB.
 */
export const largestAnswer = Math.floor(
  Math.min(64 * mebibyte, Math.max(8 * mebibyte, getHeapStatistics().heap_size_limit / 16)),
)

/** The number of answers of the largest size that may be buffered at once. */
const largestAtOnce = 4

const decoders = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Limits the bytes of each body, and of all bodies being received. */
export class BodyBounds {
  readonly largest: number
  buffered = 0

  constructor(largest = largestAnswer) {
    this.largest = largest
  }

  allows(bytes: number): boolean {
    return bytes <= this.largest && this.buffered <= largestAtOnce * this.largest
  }
}

/** The source of a body, which can be paused. */
export interface Wire {
  pause(): void
  resume(): void
}

/**
 * One body being received and decompressed. It ends once: complete, with TooLargeError, or with the decoder's
 * error.
 */
export class ArrivingBody {
  /** Bytes so far, from which a call without a usage header is estimated. */
  bytes = 0
  #wireBytes = 0
  #chunks: Buffer[] = []
  readonly #bounds: BodyBounds
  readonly #wire: Wire
  readonly #onEnd: (error: Error | null) => void
  readonly #decoder: ReturnType<typeof createGunzip> | undefined
  #isOver = false

  constructor(bounds: BodyBounds, wire: Wire, encoding: unknown, onEnd: (error: Error | null) => void) {
    this.#bounds = bounds
    this.#wire = wire
    this.#onEnd = onEnd
    const decode = encoding === undefined ? undefined : decoders.get(String(encoding).toLowerCase())
    if (!decode) return
    this.#decoder = decode()
    this.#decoder.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#decoder.on('end', () => this.stop(null))
    this.#decoder.on('error', (error) => this.stop(error))
    this.#decoder.on('drain', () => wire.resume())
  }

  /** Adds a received chunk. */
  write(chunk: Buffer): void {
    if (this.#isOver) return
    if (!this.#decoder) return this.#take(chunk)
    this.#wireBytes += chunk.length
    // Empty gzip members add bytes on the wire but none to the body.
    if (this.#wireBytes > this.#bounds.largest) this.stop(new TooLargeError())
    else if (!this.#decoder.write(chunk)) this.#wire.pause()
  }

  /** Everything was received. */
  end(): void {
    if (this.#decoder) this.#decoder.end()
    else this.stop(null)
  }

  /** Ends with an error, or complete. */
  stop(error: Error | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#bounds.buffered -= this.bytes
    if (error) this.#decoder?.destroy()
    this.#onEnd(error)
  }

  /** The text, without a byte order mark, which JSON does not allow. It is then released here. */
  takeText(): string {
    const [first] = this.#chunks
    const whole = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.bytes)
    // undici keeps the request, and so this object, until the next request on its connection.
    this.#chunks = []
    const text = whole.toString('utf8')
    return text.startsWith('\ufeff') ? text.slice(1) : text
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return
    this.#chunks.push(chunk)
    this.bytes += chunk.length
    this.#bounds.buffered += chunk.length
    if (!this.#bounds.allows(this.bytes)) this.stop(new TooLargeError())
  }
}
