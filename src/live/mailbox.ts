const over = { done: true, value: undefined } as const

/** What a mailbox is asked to do. */
interface Owner {
  /** Called when the first letter is waited for. */
  open(): Promise<void>
  /** Called once, when nobody reads any more. The mailbox is closed when it is done. */
  close(): Promise<void>
}

/**
 * Letters for one reader, by what they are about: a newer one takes the place of an older one that was not read yet, so that a slow reader
 * has at most one letter for each thing waiting, and reads the newest.
 */
export class Mailbox<V> implements AsyncIterableIterator<V, undefined> {
  readonly #owner: Owner
  readonly #letters = new Map<string, V>()
  #reader: ((result: IteratorResult<V, undefined>) => void) | null = null
  #opened: Promise<void> | null = null
  #closed: Promise<void> | null = null
  #isOver = false

  constructor(owner: Owner) {
    this.#owner = owner
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** How many letters wait. */
  get size(): number {
    return this.#letters.size
  }

  put(about: string, letter: V): void {
    if (this.#isOver) return
    const reader = this.#reader
    if (!reader) return void this.#letters.set(about, letter)
    this.#reader = null
    reader({ done: false, value: letter })
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
      return { done: false, value: letter }
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
