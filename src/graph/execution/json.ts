/** The initial size of the buffer. */
const leastBytes = 65_536

/** Larger buffers are not kept for the next text. */
const mostKept = 1_048_576

/** Longer pieces are copied at once. For shorter ones, such as a name, a loop is faster. */
const longestLoop = 64

/** Writes JSON as bytes, into one buffer that is used again for each text. */
export class JsonWriter {
  #bytes = Buffer.allocUnsafeSlow(leastBytes)
  #length = 0
  #most = Number.POSITIVE_INFINITY

  /** Starts a new text of at most so many bytes, and drops an unfinished one. */
  begin(most = Number.POSITIVE_INFINITY): void {
    this.#length = 0
    this.#most = most
  }

  /**
   * A copy of the written bytes in its own buffer. A slice of Node's pool would keep the whole pool in
   * memory. Throws a TooLongError, as every method that writes may do.
   */
  end(): Buffer {
    this.#check()
    const text = Buffer.allocUnsafeSlow(this.#length)
    this.#bytes.copy(text, 0, 0, this.#length)
    if (this.#bytes.length > mostKept) this.#bytes = Buffer.allocUnsafeSlow(leastBytes)
    return text
  }

  /** Writes bytes. */
  bytes(piece: Uint8Array): void {
    const { length } = piece
    this.#reserve(length)
    const bytes = this.#bytes
    const from = this.#length
    if (length > longestLoop) bytes.set(piece, from)
    else for (let index = 0; index < length; index += 1) bytes[from + index] = piece[index] ?? 0
    this.#length = from + length
  }

  /** Writes ASCII text without escaping. */
  ascii(text: string): void {
    const { length } = text
    this.#reserve(length)
    const bytes = this.#bytes
    const from = this.#length
    for (let index = 0; index < length; index += 1) bytes[from + index] = text.charCodeAt(index)
    this.#length = from + length
  }

  /** The number of bytes so far. */
  get length(): number {
    return this.#length
  }

  /** The bytes from a position on, as Latin-1: a character for each. */
  latin1From(start: number): string {
    return this.#bytes.toString('latin1', start, this.#length)
  }

  /** Writes bytes that are given as Latin-1. */
  latin1(text: string): void {
    this.#reserve(text.length)
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
  }

  /** Writes text without escaping. */
  text(text: string): void {
    this.#reserve(3 * text.length)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** Writes a serialized value. */
  value(value: unknown): void {
    if (typeof value === 'string') this.#string(value)
    else if (typeof value === 'number') this.ascii(numberText(value))
    else if (typeof value === 'boolean') this.bytes(value ? json.true : json.false)
    else this.text(JSON.stringify(value) ?? 'null')
  }

  #string(text: string): void {
    const { length } = text
    this.#reserve(length + 2)
    const bytes = this.#bytes
    const from = this.#length + 1
    let special = 0
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index)
      special |= (isSpecial[code & 0xff] ?? 0) | (code >> 8)
      bytes[from + index] = code
    }
    // Strings with characters that need escaping or more than one byte are written by JSON.stringify.
    if (special !== 0) return this.text(JSON.stringify(text))
    bytes[from - 1] = quote
    bytes[from + length] = quote
    this.#length = from + length + 1
  }

  /** Makes room. The text's length is checked here, and not for each piece. */
  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    this.#check()
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(2 * needed, this.#most)))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }

  /** Throws a TooLongError if the text is too long, and drops it. */
  #check(): void {
    if (this.#length <= this.#most) return
    this.#bytes = Buffer.allocUnsafeSlow(leastBytes)
    this.#length = 0
    throw new TooLongError()
  }
}

/** A text has more bytes than it may have. */
export class TooLongError extends Error {}

/** Constant pieces of JSON. */
export const json = {
  null: Buffer.from('null'),
  true: Buffer.from('true'),
  false: Buffer.from('false'),
  emptyObject: Buffer.from('{}'),
  beginList: Buffer.from('['),
  beginObject: Buffer.from('{'),
  colon: Buffer.from(':'),
  comma: Buffer.from(','),
  endList: Buffer.from(']'),
  endObject: Buffer.from('}'),
} as const

/** Most numbers are nearer to zero: scores and lines. */
const mostShort = 1_000

/** The texts of the halves from -1,000 to 1,000, in order. They are kept so that none is made again. */
const shortNumbers = Array.from({ length: 4 * mostShort }, (_, nth) => String(nth / 2 - mostShort))

function numberText(value: number): string {
  const isShort = value >= -mostShort && value < mostShort && Number.isInteger(2 * value)
  const known = isShort ? shortNumbers[2 * (value + mostShort)] : undefined
  return known ?? (Number.isFinite(value) ? String(value) : 'null')
}

const [space, quote, backslash, lastAscii] = [0x20, 0x22, 0x5c, 0x7e]

/** For each byte, 1 if JSON has to escape it or it is not ASCII. */
const isSpecial = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(code < space || code > lastAscii || code === quote || code === backslash),
)
