import type { Answer } from './client.ts'

/** What a hook returns: the last answer, and whether a newer one is loading. */
export interface Shown<Data> extends Answer<Data> {
  readonly loading: boolean
  /** Why there is no answer; null if there is one. */
  readonly failure: Error | null
}

const blank = { data: null, errors: [], usage: null, failure: null, loading: true }

/** One query on the page, shared by all components that show it. */
export class Watched<Data> {
  readonly #ask: () => Promise<Answer<Data>>
  readonly #listeners = new Set<() => void>()
  #shown: Shown<Data> = blank
  #asking: Promise<void> | null = null
  #answeredAt = Number.NEGATIVE_INFINITY

  constructor(ask: () => Promise<Answer<Data>>) {
    this.#ask = ask
  }

  readonly shown = (): Shown<Data> => this.#shown

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Sends the query unless the last answer is younger than `maxAgeMs` or a query is already under way. */
  readonly load = (maxAgeMs = 0): Promise<void> => {
    if (this.#asking) return this.#asking
    if (performance.now() - this.#answeredAt < maxAgeMs) return Promise.resolve()
    this.#show({ ...this.#shown, loading: true })
    this.#asking = this.#ask()
      .then(
        (answer) => this.#settle({ ...answer, loading: false, failure: null }),
        (failure: Error) => this.#settle({ ...this.#shown, loading: false, failure }),
      )
      .finally(() => (this.#asking = null))
    return this.#asking
  }

  #settle(shown: Shown<Data>): void {
    this.#answeredAt = shown.failure ? Number.NEGATIVE_INFINITY : performance.now()
    this.#show(shown)
  }

  #show(shown: Shown<Data>): void {
    this.#shown = shown
    for (const listener of this.#listeners) listener()
  }
}
