import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  crc32,
  inflateSync,
} from 'node:zlib'
import type { Bought, BoughtAnswer } from '../../account/answer-store.ts'

const compress = promisify(brotliCompress)

/** Compressing fewer bytes gains nothing. */
const leastCompressed = 400

/**
 * Maximum characters that are compressed in the event loop. It takes 0.1 ms. To hand them to another thread
 * and back takes three times as much.
 */
const mostInLoop = 131_072

/** The first byte: how the rest is compressed. Earlier versions wrote deflate, and Brotli with a checksum. */
const [plain, deflated, checkedText, brotli] = [0, 1, 2, 3]

/** After the first byte: a checksum. Brotli has none of its own. */
const checksumBytes = 4
const lineEnd = '\n'

/** Where a short answer is written to be compressed, at three bytes a character at most. */
const scratch = Buffer.allocUnsafeSlow(3 * mostInLoop)

/**
 * Packs an answer: one line with its data, then its text. Large ones are compressed outside the event loop.
 * Brotli at its lowest quality takes a third of deflate's time for the same size.
 */
export function pack(bought: Bought): Buffer | Promise<Buffer> {
  const { text = '', ...head } = bought as Partial<BoughtAnswer> // a refusal has no text
  const start = `${JSON.stringify(head)}${lineEnd}`
  const isShort = start.length + text.length <= mostInLoop
  const bytes = isShort ? written(start, text) : Buffer.from(start + text)
  if (bytes.length < leastCompressed) return Buffer.concat([Buffer.from([plain]), bytes])
  const params = { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  if (isShort) return checked(brotliCompressSync(bytes, { params }))
  return compress(bytes, { params }).then(checked)
}

function written(start: string, text: string): Buffer {
  const startBytes = scratch.write(start)
  return scratch.subarray(0, startBytes + scratch.write(text, startBytes))
}

function checked(body: Buffer): Buffer {
  const start = Buffer.alloc(1 + checksumBytes, brotli)
  start.writeUInt32LE(crc32(body), 1)
  return Buffer.concat([start, body])
}

/** Unpacks an answer; null if it is damaged. */
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
  const [how] = packed
  if (how === plain) return packed.subarray(1)
  if (how === deflated) return inflateSync(packed.subarray(1))
  const body = packed.subarray(1 + checksumBytes)
  const sum = packed.readUInt32LE(1)
  if (how === brotli) return crc32(body) === sum ? brotliDecompressSync(body) : null
  if (how !== checkedText) return null
  const bytes = brotliDecompressSync(body)
  return crc32(bytes) === sum ? bytes : null
}

const isHead = (head: unknown): head is object =>
  typeof head === 'object' && head !== null && 'kind' in head && 'operation' in head && 'boughtAt' in head
