import { promisify } from 'node:util'
import * as zlib from 'node:zlib'

/** The part of node:zlib that Node.js has since 22.15. The installed types are those of Node.js 20. */
export interface ZstdZlib {
  readonly zstdCompress?: (
    bytes: Buffer,
    options: { readonly finishFlush?: number | undefined },
    done: (error: Error | null, coded: Buffer) => void,
  ) => void
  readonly constants: { readonly ZSTD_e_flush?: number }
}

export interface Zstd {
  whole(bytes: Buffer): Promise<Buffer>
  /** The text without its end: a frame to which blocks can be added. */
  begun(text: Buffer): Promise<Buffer>
}

/** Zstandard, if Node.js has it; else null. */
export function zstdIn({ zstdCompress, constants }: ZstdZlib): Zstd | null {
  if (!zstdCompress) return null
  const compress = promisify(zstdCompress)
  return {
    whole: (bytes) => compress(bytes, {}),
    begun: (text) => compress(text, { finishFlush: constants.ZSTD_e_flush }),
  }
}

// The types are of Node.js 20, which lacks the part that `ZstdZlib` adds. Where it is missing, it is undefined.
export const zstd = zstdIn(zlib as unknown as ZstdZlib)

/** Adds the last block, uncompressed (RFC 8878, 3.1.1.2). The end has 65,536 bytes at most. */
export function withZstdEnd(begun: Buffer, end: string): readonly [Buffer, Buffer] {
  const stored = Buffer.from(end)
  const last = Buffer.alloc(3 + stored.length)
  last.writeUIntLE((stored.length << 3) | 1, 0, 3)
  stored.copy(last, 3)
  return [begun, last]
}
