import type { Answer, FieldError } from './client.ts'

/** What a hook over a subscription returns. */
export interface Heard<Data> {
  /**
   * The newest event of each object, by its `id`, in the order of their first events. Without ids, the last
   * event.
   */
  readonly data: readonly Data[]
  /** Errors of the last event. */
  readonly errors: readonly FieldError[]
  /** Why no events arrive; null once they arrive again. */
  readonly failure: Error | null
  /** True until the first event or the first failure. */
  readonly loading: boolean
}

/** Pauses before a reconnect, in milliseconds: the first, which is doubled each time, and the longest. */
const pauses = { first: 1_000, longest: 30_000 }

/** The global id of the object in an event. */
function idOf(event: object): unknown {
  const [told] = Object.values(event) as unknown[]
  return typeof told === 'object' && told !== null ? Reflect.get(told, 'id') : undefined
}

/** Adds an event, in place of an earlier one of the same object. */
export function withEvent<Data>(events: readonly Data[], event: Data): readonly Data[] {
  const id = idOf(event as object) // GraphQL’s `data`
  if (id === undefined) return [event]
  const known = events.findIndex((one) => idOf(one as object) === id)
  return known < 0 ? [...events, event] : events.with(known, event)
}

/** Whether a retry with the same key and variables may succeed. */
export const mayRecover = (errors: readonly FieldError[]): boolean =>
  errors.some(
    ({ extensions: { code } = {} }) => code === 'TOO_MANY_SUBSCRIPTIONS' || code?.startsWith('UPSTREAM_'),
  )

export type Open<Data> = (signal: AbortSignal) => AsyncIterable<Answer<Data>>

export interface Listener<Data> {
  hear(answer: Answer<Data>): void
  /** The stream broke, or could not be opened. It is opened again after a pause. */
  fail(failure: Error): void
}

/** Follows a stream until `signal` is aborted or the graph ends it. Reconnects when it breaks. */
export async function follow<Data>(
  open: Open<Data>,
  signal: AbortSignal,
  { hear, fail }: Listener<Data>,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    if (failures > 0) await pause(failures, signal)
    let last: Answer<Data> | undefined
    try {
      for await (const answer of open(signal)) {
        if (signal.aborted) return
        last = answer
        hear(answer)
        if (answer.data !== null) failures = 0
      }
      if (!last || !mayRecover(last.errors)) return
    } catch (error) {
      if (!signal.aborted) fail(error as Error) // NoAnswerError
    }
  }
}

/**
 * Milliseconds to wait after so many failures in a row. Random, so that clients of one server do not return
 * at once.
 */
export const pauseAfter = (failures: number): number =>
  Math.min(pauses.first * 2 ** (failures - 1), pauses.longest) * (0.5 + Math.random() / 2)

function pause(failures: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseAfter(failures))
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}

/**
 * One subscription, shared by all components that show it. Open while at least one does; reconnects when it
 * breaks.
 */
export class Live<Data> {
  readonly #open: Open<Data>
  readonly #listeners = new Set<() => void>()
  #shown: Heard<Data> = { data: [], errors: [], failure: null, loading: true }
  #shows: AbortController | null = null

  constructor(open: Open<Data>) {
    this.#open = open
  }

  readonly shown = (): Heard<Data> => this.#shown

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    if (!this.#shows) this.#start((this.#shows = new AbortController()))
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return
      this.#shows?.abort()
      this.#shows = null
    }
  }

  #start({ signal }: AbortController): void {
    void follow(this.#open, signal, {
      hear: ({ data, errors }) => {
        const events = data === null ? this.#shown.data : withEvent(this.#shown.data, data)
        this.#show({ data: events, errors, loading: false, failure: null })
      },
      fail: (failure) => this.#show({ ...this.#shown, loading: false, failure }),
    })
  }

  #show(shown: Heard<Data>): void {
    this.#shown = shown
    for (const listener of this.#listeners) listener()
  }
}
