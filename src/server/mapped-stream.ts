/** Callbacks of a stream: on its first use, and once when it is over. */
export interface Watcher {
  onBegin?(): void
  /** The stream has ended, failed or been returned, and its pending work is done. */
  onEnd?(error?: unknown): void
}

const over = { done: true, value: undefined } as const

/** A class, not closures: each of thousands of subscribers has several such streams, one inside the other. */
class Mapped<T, U> implements AsyncIterableIterator<U, undefined> {
  readonly #source: AsyncIterator<T>
  readonly #map: (value: T) => U | Promise<U>
  readonly #watcher: Watcher
  #state: 'new' | 'begun' | 'over' = 'new'
  #making: Promise<unknown> | undefined

  constructor(source: AsyncIterator<T>, map: (value: T) => U | Promise<U>, watcher: Watcher) {
    this.#source = source
    this.#map = map
    this.#watcher = watcher
  }

  next(): Promise<IteratorResult<U, undefined>> {
    this.#begin()
    const next = this.#make()
    this.#making = next
    return next
  }

  async return(): Promise<IteratorResult<U, undefined>> {
    this.#begin()
    await this.#source.return?.()
    await this.#making?.catch(() => {})
    this.#end()
    return over
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #begin(): void {
    if (this.#state !== 'new') return
    this.#state = 'begun'
    this.#watcher.onBegin?.()
  }

  #end(error?: unknown): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#watcher.onEnd?.(error)
  }

  async #make(): Promise<IteratorResult<U, undefined>> {
    try {
      const next = await this.#source.next()
      if (!next.done) return { done: false, value: await this.#map(next.value) }
    } catch (error) {
      await this.#source.return?.().catch(() => {})
      this.#end(error)
      throw error
    }
    this.#end()
    return over
  }
}

/** A stream of mapped values. On return, it waits for the pending value, so that its bill is known. */
export const mapped = <T, U>(
  source: AsyncIterable<T>,
  map: (value: T) => U | Promise<U>,
  watcher: Watcher = {},
): AsyncIterableIterator<U, undefined> => new Mapped(source[Symbol.asyncIterator](), map, watcher)

/** A stream of one value. */
export async function* onlyOne<T>(value: T): AsyncGenerator<T, undefined> {
  yield value
}
