import { WebSocket } from 'ws'
import { jsonOf } from './execution.ts'
import type { Stream } from './steps.ts'

const over = { done: true, value: undefined } as const

/**
 * Sends the results of an operation over its WebSocket, and itself yields none. graphql-ws, which reads it,
 * would print each anew for each subscriber; it still completes the operation.
 */
export class SocketEvents implements AsyncIterableIterator<never, undefined> {
  readonly #stream: Stream
  readonly #socket: WebSocket
  readonly #id: string
  #isOver = false

  constructor(stream: Stream, socket: WebSocket, id: string) {
    this.#stream = stream
    this.#socket = socket
    this.#id = id
  }

  async next(): Promise<IteratorResult<never, undefined>> {
    for (;;) {
      const { done, value } = await this.#stream.next()
      if (done || this.#isOver) return over
      await this.#send(`{"id":${JSON.stringify(this.#id)},"type":"next","payload":${jsonOf(value)}}`)
    }
  }

  async return(): Promise<IteratorResult<never, undefined>> {
    this.#isOver = true
    await this.#stream.return?.()
    return over
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Resolves when the network has the message. A client that does not read delays only its own events. */
  #send(message: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState !== WebSocket.OPEN) return resolve()
      this.#socket.send(message, () => resolve())
    })
  }
}
