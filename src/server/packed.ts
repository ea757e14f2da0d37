import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

/** The text compressed as `gzip` without its end, so that more can be added. */
interface Deflated {
  readonly bytes: Buffer
  readonly checksum: number
}

/** The bytes of one answer, in order. */
export type Pieces = readonly [Buffer, Buffer]

/** The header of a gzip file without a name or a date (RFC 1952). */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Shorter texts are not compressed. */
const leastDeflated = 1_024

/**
 * A text as bytes, to which a short end is added each time it is sent. It is compressed once, when first
 * needed; the end is added to the compressed bytes as an uncompressed block.
 */
export class Packed {
  readonly #bytes: Buffer
  #deflated: Deflated | Promise<Deflated> | null = null

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Bytes of the text, plus an estimate of its compressed size, which for JSON is less than half. */
  get size(): number {
    return this.isWorthGzip ? Math.ceil(this.#bytes.length * 1.5) : this.#bytes.length
  }

  get isWorthGzip(): boolean {
    return this.#bytes.length >= leastDeflated
  }

  with(end: string): Pieces {
    return [this.#bytes, Buffer.from(end)]
  }

  gzippedWith(end: string): Pieces | Promise<Pieces> {
    this.#deflated ??= this.#deflate()
    if (!(this.#deflated instanceof Promise)) return this.#gzip(this.#deflated, end)
    return this.#deflated.then((deflated) => this.#gzip(deflated, end))
  }

  async #deflate(): Promise<Deflated> {
    const bytes = await deflate(this.#bytes, { finishFlush: constants.Z_SYNC_FLUSH })
    const deflated = { bytes: Buffer.concat([gzipHeader, bytes]), checksum: crc32(this.#bytes) }
    return (this.#deflated = deflated)
  }

  /** Adds the last block (RFC 1951, 3.2.4) and the trailer: checksum and length. */
  #gzip({ bytes, checksum }: Deflated, end: string): Pieces {
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
