const over = { done: true, value: undefined } as const

/** The callbacks of a mailbox. */
interface Owner<M, V> {
  /** Called when the reader first waits. */
  open(): Promise<void>
  /** Called once, when the reader has stopped. The mailbox is closed afterwards. */
  close(): Promise<void>
  /** What the reader gets for a message. Called when it is read. */
  read(topic: string, message: M): V
}

/**
 * Unread messages for one reader, by topic. A newer message replaces an unread one of the same topic, so a slow
 * reader has at most one for each topic and reads the latest state.
 */
export class Mailbox<M, V> implements AsyncIterableIterator<V, undefined> {
  readonly #owner: Owner<M, V>
  readonly #messages = new Map<string, M>()
  #reader: ((result: IteratorResult<V, undefined>) => void) | null = null
  #opened: Promise<void> | null = null
  #closed: Promise<void> | null = null
  #isOver = false

  constructor(owner: Owner<M, V>) {
    this.#owner = owner
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The number of unread messages. */
  get size(): number {
    return this.#messages.size
  }

  /** Takes back an unread message. */
  drop(topic: string): void {
    this.#messages.delete(topic)
  }

  /** Takes back all unread messages, and returns them. */
  clear(): readonly M[] {
    const unread = [...this.#messages.values()]
    this.#messages.clear()
    return unread
  }

  put(topic: string, message: M): void {
    if (this.#isOver) return
    const reader = this.#reader
    if (!reader) return void this.#messages.set(topic, message)
    this.#reader = null
    reader({ done: false, value: this.#owner.read(topic, message) })
  }

  async next(): Promise<IteratorResult<V, undefined>> {
    if (this.#isOver) return over
    try {
      await (this.#opened ??= this.#owner.open())
    } catch (error) {
      await this.#end()
      throw error
    }
    for (const [topic, message] of this.#messages) {
      this.#messages.delete(topic)
      return { done: false, value: this.#owner.read(topic, message) }
    }
    if (this.#isOver) return over
    return new Promise((resolve) => (this.#reader = resolve))
  }

  async return(): Promise<IteratorResult<V, undefined>> {
    await this.#end()
    return over
  }

  #end(): Promise<void> {
    return (this.#closed ??= this.#close())
  }

  async #close(): Promise<void> {
    this.#isOver = true
    this.#messages.clear()
    await this.#owner.close()
    this.#reader?.(over)
    this.#reader = null
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
