import { getHeapStatistics } from 'node:v8'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The answer is larger than allowed, on the wire or decompressed. */
export class TooLargeError extends Error {}

const mebibyte = 1_048_576

/**
 * Bytes that one answer may have. A parsed answer takes up to ten times its bytes, so the default is a
 * sixteenth of the heap, within 8 and 64 MiB. The largest answers of a full season have about 20 MB.
 */
export const largestAnswer = Math.floor(
  Math.min(64 * mebibyte, Math.max(8 * mebibyte, getHeapStatistics().heap_size_limit / 16)),
)

/** Answers of the largest size that may be buffered at once. */
const largestAtOnce = 4

const decoders = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Bounds the bytes of each body and of all that are being received. */
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

/** Where a body comes from, as far as it can be slowed down. */
export interface Wire {
  pause(): void
  resume(): void
}

/**
 * One body as it arrives, decompressed. Ends once: with its bytes complete, or with TooLargeError or the
 * decoder's error.
 */
export class ArrivingBody {
  /** Bytes so far, which are what a call without a usage header is estimated from. */
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

  /** Takes a chunk off the wire. */
  write(chunk: Buffer): void {
    if (this.#isOver) return
    if (!this.#decoder) return this.#take(chunk)
    this.#wireBytes += chunk.length
    // A body of empty gzip members grows on the wire alone.
    if (this.#wireBytes > this.#bounds.largest) this.stop(new TooLargeError())
    else if (!this.#decoder.write(chunk)) this.#wire.pause()
  }

  /** The wire has brought all. */
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

  /**
   * The text, which is then no longer kept here, without the mark of UTF-8 that some programs begin files
   * with and JSON does not allow.
   */
  takeText(): string {
    const [first] = this.#chunks
    const whole = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.bytes)
    // undici holds the request, and with it this, until the next on its connection.
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
