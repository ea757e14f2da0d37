/** Bytes that a writer begins with. */
const leastBytes = 65_536

/** Buffers beyond this are not kept for the next text. */
const mostKept = 1_048_576

/** Writes JSON as bytes. One buffer serves all texts, one after the other. */
export class JsonWriter {
  #bytes = Buffer.allocUnsafeSlow(leastBytes)
  #length = 0

  /** Begins anew, wherever the text before was left. */
  begin(): void {
    this.#length = 0
  }

  /** A copy of what has been written, in a buffer of its own: a slice of Node's pool would keep the whole pool in memory. */
  end(): Buffer {
    const text = Buffer.allocUnsafeSlow(this.#length)
    this.#bytes.copy(text, 0, 0, this.#length)
    if (this.#bytes.length > mostKept) this.#bytes = Buffer.allocUnsafeSlow(leastBytes)
    return text
  }

  /** Writes characters of ASCII as they are. */
  ascii(text: string): void {
    const { length } = text
    this.#reserve(length)
    const bytes = this.#bytes
    let at = this.#length
    for (let index = 0; index < length; index += 1) bytes[at++] = text.charCodeAt(index)
    this.#length = at
  }

  /** Writes any text as it is. */
  text(text: string): void {
    this.#reserve(3 * text.length)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** Writes a value that has been serialized for JSON. */
  value(value: unknown): void {
    if (typeof value === 'string') this.#string(value)
    else if (typeof value === 'number') this.ascii(Number.isFinite(value) ? String(value) : 'null')
    else if (typeof value === 'boolean') this.ascii(value ? 'true' : 'false')
    else this.text(JSON.stringify(value) ?? 'null')
  }

  #string(text: string): void {
    const { length } = text
    this.#reserve(length + 2)
    const bytes = this.#bytes
    let at = this.#length
    bytes[at++] = quote
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index)
      // Whatever JSON does not write as one byte is left to JSON.stringify, with all of its string.
      if (code < space || code > lastAscii || code === quote || code === backslash)
        return this.text(JSON.stringify(text))
      bytes[at++] = code
    }
    bytes[at++] = quote
    this.#length = at
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * needed)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

const [space, quote, backslash, lastAscii] = [0x20, 0x22, 0x5c, 0x7e]
