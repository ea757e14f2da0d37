import type { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The answer is larger than allowed, on the wire or decompressed. */
export class TooLargeError extends Error {}

const mebibyte = 1_048_576

/**
 * Bytes that one answer may have. A parsed answer takes up to ten times its bytes, so the default is a sixteenth of the heap,
 * within 8 and 64 MiB. The largest answers of a full season have about 20 MB.
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

/** Bytes received so far, which are what a call without a usage header is estimated from. */
export interface Progress {
  bytes: number
}

/** Reads bodies, and bounds the bytes of each and of all that are being read. */
export class BodyReader {
  readonly #largest: number
  #buffered = 0

  constructor(largest = largestAnswer) {
    this.#largest = largest
  }

  /**
   * Reads a whole body, decompressed. Stops in the middle of one that is too large and destroys its connection.
   * Throws TooLargeError, or what the stream or the decoder throws.
   */
  async read(source: Readable, encoding: unknown, length: unknown, progress: Progress): Promise<Buffer> {
    const decoder = decoders.get(String(encoding).toLowerCase())?.()
    const stop = (error: Error) => {
      // The source reports its own end as an error to this listener, which has nothing to add.
      source.on('error', () => {}).destroy(error)
      decoder?.destroy(error)
    }
    try {
      if (Number(length) > this.#largest) throw new TooLargeError()
      // A body of empty gzip members grows on the wire alone.
      if (decoder) this.#pipe(source, decoder)
      return await this.#collect(decoder ?? source, progress)
    } catch (error) {
      stop(error instanceof Error ? error : new Error('The body cannot be read.'))
      throw error
    } finally {
      this.#buffered -= progress.bytes
    }
  }

  #pipe(source: Readable, decoder: ReturnType<typeof createGunzip>): void {
    let bytes = 0
    source.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > this.#largest) decoder.destroy(new TooLargeError())
    })
    source.on('error', (error) => decoder.destroy(error))
    source.pipe(decoder)
  }

  #collect(stream: Readable, progress: Progress): Promise<Buffer> {
    const chunks: Buffer[] = []
    return new Promise((resolve, reject) => {
      const take = (chunk: Buffer) => {
        chunks.push(chunk)
        progress.bytes += chunk.length
        this.#buffered += chunk.length
        if (progress.bytes <= this.#largest && this.#buffered <= largestAtOnce * this.#largest) return
        stream.off('data', take)
        reject(new TooLargeError())
      }
      stream.on('data', take)
      stream.once('end', () => resolve(Buffer.concat(chunks)))
      stream.once('error', reject)
      stream.once('close', () => reject(new Error('The body ended early.')))
    })
  }
}
