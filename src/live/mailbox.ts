const over = { done: true, value: undefined } as const

/** The callbacks of a mailbox. */
interface Owner<L, V> {
  /** Called when the reader first waits. */
  open(): Promise<void>
  /** Called once, when the reader has stopped. The mailbox is closed afterwards. */
  close(): Promise<void>
  /** What the reader gets for a letter. Called when it is read. */
  read(about: string, letter: L): V
}

/**
 * Unread letters for one reader, by topic. A newer letter replaces an unread one of the same topic, so a slow
 * reader has at most one for each topic and reads the latest state.
 */
export class Mailbox<L, V> implements AsyncIterableIterator<V, undefined> {
  readonly #owner: Owner<L, V>
  readonly #letters = new Map<string, L>()
  #reader: ((result: IteratorResult<V, undefined>) => void) | null = null
  #opened: Promise<void> | null = null
  #closed: Promise<void> | null = null
  #isOver = false

  constructor(owner: Owner<L, V>) {
    this.#owner = owner
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The number of unread letters. */
  get size(): number {
    return this.#letters.size
  }

  /** Takes back an unread letter. */
  drop(about: string): void {
    this.#letters.delete(about)
  }

  /** Takes back all unread letters, and returns them. */
  clear(): readonly L[] {
    const unread = [...this.#letters.values()]
    this.#letters.clear()
    return unread
  }

  put(about: string, letter: L): void {
    if (this.#isOver) return
    const reader = this.#reader
    if (!reader) return void this.#letters.set(about, letter)
    this.#reader = null
    reader({ done: false, value: this.#owner.read(about, letter) })
  }

  async next(): Promise<IteratorResult<V, undefined>> {
    if (this.#isOver) return over
    try {
      await (this.#opened ??= this.#owner.open())
    } catch (error) {
      await this.#end()
      throw error
    }
    for (const [about, letter] of this.#letters) {
      this.#letters.delete(about)
      return { done: false, value: this.#owner.read(about, letter) }
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
    this.#letters.clear()
    await this.#owner.close()
    this.#reader?.(over)
    this.#reader = null
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
