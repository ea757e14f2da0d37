import type { Socket } from 'node:net'

/** Characters of `HTTP/1.1 100`. */
const statusBytes = 12
const isInterim = /^HTTP\/1\.\d 1/
const two = 0x32
/** What ends the head of an answer. */
const headEnd = '\r\n\r\n'

/**
 * Lets the answers on a connection begin with any number of `100 Continue`, as HTTP has it (RFC 9110, 15.2).
 * undici gives up the connection at the first, after a call that may have been billed. It accepts any number
 * of other 1xx, so each 100 is read as 102. Only what comes before the head of an answer is looked at.
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

/** The heads of interim answers that come before an answer, in chunks of any size. */
class InterimHeads {
  areOver = true
  #status = ''
  /** How many characters of a head's end have just come. */
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
