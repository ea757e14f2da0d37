import { promisify } from 'node:util'
import { deflate, inflateSync } from 'node:zlib'
import type { Bought, BoughtAnswer } from '../upstream/answer-store.ts'

const compress = promisify(deflate)

/** Smaller ones gain nothing. */
const leastCompressed = 400

const [plain, compressed] = [Buffer.from([0]), Buffer.from([1])]
const lineEnd = '\n'

/** What was bought, as bytes: a line that says what, and the answer's text. Compressed beside the event loop, with a checksum. */
export async function pack(bought: Bought): Promise<Buffer> {
  const { text = '', ...head } = bought as Partial<BoughtAnswer> // a refusal has no text
  const bytes = Buffer.from(`${JSON.stringify(head)}${lineEnd}${text}`)
  if (bytes.length < leastCompressed) return Buffer.concat([plain, bytes])
  return Buffer.concat([compressed, await compress(bytes, { level: 1 })])
}

/** What bytes say was bought; null where they are damaged. */
export function unpack(bytes: Buffer): Bought | null {
  try {
    const body = bytes.subarray(1)
    const whole = (bytes[0] === 1 ? inflateSync(body) : body).toString('utf8')
    const end = whole.indexOf(lineEnd)
    const head: unknown = JSON.parse(whole.slice(0, end))
    return isHead(head) ? ({ ...head, text: whole.slice(end + 1) } as Bought) : null // as it was packed
  } catch {
    return null
  }
}

const isHead = (head: unknown): head is object =>
  typeof head === 'object' && head !== null && 'kind' in head && 'operation' in head && 'boughtAt' in head
