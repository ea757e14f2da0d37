import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'

/** Queries of one connection that are run, or have answers that its client has not read, at a time. */
const mostAtOnce = 32

/** Queries that may wait for their turn, and characters of all that run or wait, until the connection is not read. */
const [mostWaiting, mostCharacters] = [200, 1_048_576]

/**
 * Reads one WebSocket's messages only as fast as its client reads the answers. Otherwise queries and pings
 * would pile up answers in memory.
 */
export class SocketFlow {
  readonly #socket: WebSocket
  readonly #connection: Duplex
  /** Their characters by their ids. Null while there was none: a subscriber asks for nothing else. */
  #running: Map<string, number> | null = null
  #characters = 0
  readonly #waiting: (() => void)[] = []
  #awaitsDrain = false

  constructor(socket: WebSocket, connection: Duplex) {
    this.#socket = socket
    this.#connection = connection
    const check = () => this.#check()
    socket.on('message', check).on('ping', check)
    // What waits is never run.
    socket.once('close', () => (this.#waiting.length = 0))
  }

  /** Waits until a query of so many characters may be run. */
  async begin(id: string, characters: number): Promise<void> {
    this.#running ??= new Map()
    this.#characters += characters
    if (this.#running.size >= mostAtOnce) await new Promise<void>((is) => this.#waiting.push(is))
    this.#running.set(id, characters)
  }

  /** The answer has been sent. */
  end(id: string): void {
    this.#characters -= this.#running?.get(id) ?? 0
    if (!this.#running?.delete(id)) return
    this.#waiting.shift()?.()
    this.#check()
  }

  #check(): void {
    const isFull = this.#connection.writableNeedDrain
    if (isFull && !this.#awaitsDrain) {
      this.#awaitsDrain = true
      this.#connection.once('drain', () => ((this.#awaitsDrain = false), this.#check()))
    }
    const isBusy = this.#waiting.length >= mostWaiting || this.#characters >= mostCharacters
    if (isFull || isBusy) this.#socket.pause()
    else if (this.#socket.isPaused) this.#socket.resume()
  }
}

/** A WebSocket whose client may be gone while something is sent: that it closes is enough to know. */
export class QuietSocket extends WebSocket {
  /** The code with which this side has closed it first; null if it has not. */
  closedWith: number | null = null

  override close(code?: number, reason?: string | Buffer): void {
    if (this.readyState === WebSocket.OPEN) this.closedWith = code ?? null
    super.close(code, reason)
  }

  override send(data: Parameters<WebSocket['send']>[0], ...others: readonly unknown[]): void {
    const done = others.find((one) => typeof one === 'function')
    super.send(data, () => void done?.())
  }
}
