import type { Socket } from 'node:net'

/** Characters of `HTTP/1.1 100`. */
const statusBytes = 12
const isInterim = /^HTTP\/1\.\d 1/
const two = 0x32
/** The end of an answer's head. */
const headEnd = '\r\n\r\n'

/**
 * Accepts any number of `100 Continue` before an answer, as HTTP requires (RFC 9110, 15.2). undici closes the
 * connection at the first one, after a call that may have been billed, but accepts other 1xx. So each 100 is
 * changed to 102. Only the bytes before an answer's head are looked at.
 */
export function acceptInterimAnswers(socket: Socket): void {
  const heads = new InterimHeads()
  const read = socket.read.bind(socket)
  const write: (...given: Parameters<Socket['write']>) => boolean = socket.write.bind(socket)
  Object.assign(socket, {
    read(size?: number) {
      const chunk: Buffer | null = read(size)
      if (chunk && !heads.areOver) heads.see(chunk)
      return chunk
    },
    write(...given: Parameters<Socket['write']>) {
      heads.begin()
      return write(...given)
    },
  })
}

/** The heads of interim answers before an answer, in chunks of any size. */
class InterimHeads {
  areOver = true
  #status = ''
  /** The number of characters of a head's end that were just received. */
  #ending = 0

  begin(): void {
    this.areOver = false
    this.#status = ''
    this.#ending = 0
  }

  see(chunk: Buffer): void {
    for (let index = 0; index < chunk.length && !this.areOver; index += 1) {
      const byte = chunk[index] ?? 0
      if (this.#status.length === statusBytes) this.#seeHeader(byte)
      else this.#seeStatus(byte, chunk, index)
    }
  }

  #seeStatus(byte: number, chunk: Buffer, index: number): void {
    this.#status += String.fromCharCode(byte)
    if (this.#status.length < statusBytes) return
    if (!isInterim.test(this.#status)) this.areOver = true
    else if (this.#status.endsWith('100')) chunk[index] = two
  }

  #seeHeader(byte: number): void {
    const isNext = byte === headEnd.charCodeAt(this.#ending)
    this.#ending = isNext ? this.#ending + 1 : byte === headEnd.charCodeAt(0) ? 1 : 0
    if (this.#ending === headEnd.length) this.begin()
  }
}
