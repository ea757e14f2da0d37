import { callOwn } from './own-code.ts'

/**
 * Milliseconds in which something that was asked for has to be shown. Components that suspend are shown once the slowest
 * of them is there; until then React keeps nothing of them. TanStack Query and Relay wait as long.
 */
const longestWait = 300_000

/** State that changes, for any framework: what is shown now, and a call with each change. */
export class Store<Snapshot> {
  readonly #listeners = new Set<() => void>()
  #snapshot: Snapshot
  #atHydration: Snapshot
  /** By `performance.now()`. */
  #expectedUntil = 0

  constructor(first: Snapshot) {
    this.#snapshot = first
    this.#atHydration = first
  }

  /** What is shown now: the same object until it changes. */
  readonly getSnapshot = (): Snapshot => this.#snapshot

  /** On a server, what is shown now. On a page, what the server has rendered: React hydrates the page with it. */
  readonly getServerSnapshot = (): Snapshot =>
    typeof document === 'undefined' ? this.#snapshot : this.#atHydration

  /** Calls `listener` after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const once = () => listener() // so that a listener can be added twice
    this.#listeners.add(once)
    this.onFirst(this.#listeners.size)
    return () => {
      if (!this.#listeners.delete(once) || this.#listeners.size > 0) return
      this.#expectedUntil = 0
      this.onLast()
    }
  }

  /** Whether it is shown, or may soon be. */
  get isNeeded(): boolean {
    return this.isShown || performance.now() < this.#expectedUntil
  }

  /** Somebody is about to show it. */
  expect(): void {
    this.#expectedUntil = performance.now() + longestWait
  }

  /** Whether anybody listens. */
  get isShown(): boolean {
    return this.#listeners.size > 0
  }

  /** Called with each new listener. */
  protected onFirst(_listeners: number): void {}

  /** Called when the last listener has gone. */
  protected onLast(): void {}

  protected show(snapshot: Snapshot): void {
    this.#snapshot = snapshot
    for (const listener of this.#listeners) callOwn(listener)
  }

  /** Sets what a server has rendered. */
  protected hydrated(snapshot: Snapshot): void {
    this.#atHydration = snapshot
    this.show(snapshot)
  }
}
