import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants, crc32, inflateSync } from 'node:zlib'
import type { Bought, BoughtAnswer } from '../upstream/answer-store.ts'

const compress = promisify(brotliCompress)

/** Smaller ones gain nothing. */
const leastCompressed = 400

/** What the first byte says of the rest. Deflated are those of earlier versions. */
const [plain, deflated, brotli] = [0, 1, 2]

/** After the first byte: the checksum of what is compressed. */
const checksumBytes = 4
const lineEnd = '\n'

/**
 * What was bought, as bytes: a line that says what, and the answer's text. Compressed beside the event loop:
 * the least quality of Brotli takes a third of deflate's time, for as few bytes. It has no checksum of its
 * own.
 */
export async function pack(bought: Bought): Promise<Buffer> {
  const { text = '', ...head } = bought as Partial<BoughtAnswer> // a refusal has no text
  const bytes = Buffer.from(`${JSON.stringify(head)}${lineEnd}${text}`)
  if (bytes.length < leastCompressed) return Buffer.concat([Buffer.from([plain]), bytes])
  const params = { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const start = Buffer.alloc(1 + checksumBytes, brotli)
  start.writeUInt32LE(crc32(bytes), 1)
  return Buffer.concat([start, await compress(bytes, { params })])
}

/** What bytes say was bought; null where they are damaged. */
export function unpack(packed: Buffer): Bought | null {
  try {
    const bytes = unpacked(packed)
    if (!bytes) return null
    const whole = bytes.toString('utf8')
    const end = whole.indexOf(lineEnd)
    const head: unknown = JSON.parse(whole.slice(0, end))
    return isHead(head) ? ({ ...head, text: whole.slice(end + 1) } as Bought) : null // as it was packed
  } catch {
    return null
  }
}

function unpacked(packed: Buffer): Buffer | null {
  if (packed[0] === plain) return packed.subarray(1)
  if (packed[0] === deflated) return inflateSync(packed.subarray(1))
  const bytes = brotliDecompressSync(packed.subarray(1 + checksumBytes))
  return crc32(bytes) === packed.readUInt32LE(1) ? bytes : null
}

const isHead = (head: unknown): head is object =>
  typeof head === 'object' && head !== null && 'kind' in head && 'operation' in head && 'boughtAt' in head
