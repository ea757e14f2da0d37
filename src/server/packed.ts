import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, deflateRaw, gzip } from 'node:zlib'
import type { BrotliOptions } from 'node:zlib'
import Negotiator from 'negotiator'
import { withZstdEnd, zstd } from './zstd.ts'

const [deflate, gzipped, brotlied] = [promisify(deflateRaw), promisify(gzip), promisify(brotliCompress)]

/** How an answer may be compressed. */
export type Coding = 'zstd' | 'br' | 'gzip'

/** The published types lack `preferred`: which coding is taken if the client likes several as well. */
interface Preferring {
  encoding(available: readonly string[], preferred: readonly string[]): string | undefined
}

/** The better one first, for clients to which they are as good. */
export const codings: readonly Coding[] = zstd ? ['zstd', 'br', 'gzip'] : ['br', 'gzip']

/**
 * The coding of an answer to a request with these headers; null if it is sent as it is. The only place that reads
 * `Accept-Encoding`, so that equal requests have answers in equal codings.
 */
export function codingFor(headers: IncomingHttpHeaders, offered = codings): Coding | null {
  if (headers['accept-encoding'] === undefined) return null
  const client: Preferring = new Negotiator({ headers })
  const chosen = client.encoding([...offered, 'identity'], offered)
  return chosen === undefined || chosen === 'identity' ? null : (chosen as Coding) // one of those offered
}

/** Shorter answers are not compressed: it would cost more than it saves. */
export const leastEncoded = 1_024

/** Brotli's default takes many times as long. */
const brotliOptions: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

export function compressedAs(bytes: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'zstd' && zstd) return zstd.whole(bytes)
  return coding === 'br' ? brotlied(bytes, brotliOptions) : gzipped(bytes)
}

/** The text compressed without its end, up to a whole byte, so that more can be added. */
interface Begun {
  readonly bytes: Buffer
  readonly checksum: number
}

/** The bytes of one answer, in order. */
export type Pieces = readonly [Buffer, Buffer]

/** The header of a gzip file without a name or a date (RFC 1952). */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/**
 * A text as bytes, to which a short end is added each time it is sent. It is compressed once in each coding, when first
 * needed; the end is added to the compressed bytes as an uncompressed block.
 */
export class Packed {
  readonly #bytes: Buffer
  readonly #begun: Partial<Record<Coding, Begun | Promise<Begun>>> = {}

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Bytes of the text, plus an estimate of its compressed sizes, which for JSON are a quarter each at most. */
  get size(): number {
    return this.isWorthCoding ? Math.ceil(this.#bytes.length * (1 + codings.length / 4)) : this.#bytes.length
  }

  get isWorthCoding(): boolean {
    return this.#bytes.length >= leastEncoded
  }

  with(end: string): Pieces {
    return [this.#bytes, Buffer.from(end)]
  }

  codedWith(end: string, coding: Coding): Pieces | Promise<Pieces> {
    const begun = (this.#begun[coding] ??= this.#begin(coding))
    if (begun instanceof Promise) return begun.then(() => this.codedWith(end, coding))
    if (coding === 'zstd') return withZstdEnd(begun.bytes, end)
    return coding === 'br' ? withBrotliEnd(begun, end) : this.#withGzipEnd(begun, end)
  }

  async #begin(coding: Coding): Promise<Begun> {
    const text = this.#bytes
    if (coding === 'zstd' && zstd) return (this.#begun.zstd = { bytes: await zstd.begun(text), checksum: 0 })
    return (this.#begun[coding] = coding === 'br' ? await brotliBegun(text) : await gzipBegun(text))
  }

  /** Adds the last block (RFC 1951, 3.2.4) and the trailer: checksum and length. */
  #withGzipEnd({ bytes, checksum }: Begun, end: string): Pieces {
    const stored = Buffer.from(end)
    const last = Buffer.alloc(5 + stored.length + 8)
    last.writeUInt8(1, 0)
    last.writeUInt16LE(stored.length, 1)
    last.writeUInt16LE(~stored.length & 0xffff, 3)
    stored.copy(last, 5)
    last.writeUInt32LE(crc32(stored, checksum), 5 + stored.length)
    last.writeUInt32LE((this.#bytes.length + stored.length) >>> 0, 9 + stored.length)
    return [bytes, last]
  }
}

async function gzipBegun(text: Buffer): Promise<Begun> {
  const bytes = await deflate(text, { finishFlush: constants.Z_SYNC_FLUSH })
  return { bytes: Buffer.concat([gzipHeader, bytes]), checksum: crc32(text) }
}

async function brotliBegun(text: Buffer): Promise<Begun> {
  const bytes = await brotlied(text, { ...brotliOptions, finishFlush: constants.BROTLI_OPERATION_FLUSH })
  return { bytes, checksum: 0 }
}

/** Marks a meta-block as uncompressed: its 20th bit (RFC 7932, 9.2). */
const isUncompressed = 1 << 19
/** A last meta-block that is empty. */
const emptyLast = 0b11

/** Adds an uncompressed meta-block and the last one. The end has 65,536 bytes at most, and one at least. */
function withBrotliEnd({ bytes }: Begun, end: string): Pieces {
  const stored = Buffer.from(end)
  const last = Buffer.alloc(3 + stored.length + 1)
  last.writeUIntLE(((stored.length - 1) << 3) | isUncompressed, 0, 3)
  stored.copy(last, 3)
  last.writeUInt8(emptyLast, 3 + stored.length)
  return [bytes, last]
}
