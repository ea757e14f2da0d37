/** Callbacks of a stream: on its first use, and once when it is over. */
export interface Watcher {
  onBegin?(): void
  /** The stream has ended, failed or been returned, and its pending work is done. */
  onEnd?(error?: unknown): void
}

/** A stream of mapped values. On return, it waits for the value under way, so that its bill is known. */
export function mapped<T, U>(
  source: AsyncIterable<T>,
  map: (value: T) => U | Promise<U>,
  { onBegin, onEnd }: Watcher = {},
): AsyncIterableIterator<U, undefined> {
  const iterator = source[Symbol.asyncIterator]()
  const over = { done: true, value: undefined } as const
  let state: 'new' | 'begun' | 'over' = 'new'
  let making: Promise<unknown> = Promise.resolve()

  function begin(): void {
    if (state !== 'new') return
    state = 'begun'
    onBegin?.()
  }

  function end(error?: unknown): void {
    if (state === 'over') return
    state = 'over'
    onEnd?.(error)
  }

  async function make(): Promise<IteratorResult<U, undefined>> {
    try {
      const next = await iterator.next()
      if (!next.done) return { done: false, value: await map(next.value) }
    } catch (error) {
      await iterator.return?.().catch(() => {})
      end(error)
      throw error
    }
    end()
    return over
  }

  return {
    next() {
      begin()
      const next = make()
      making = next.catch(() => {})
      return next
    },
    async return() {
      begin()
      await iterator.return?.()
      await making
      end()
      return over
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
