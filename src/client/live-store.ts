import type { Answer, FieldError } from './answer.ts'
import { Arrivals } from './arrivals.ts'
import { callOwn } from './own-code.ts'
import { pause, pauseAfter } from './pause.ts'
import { Store } from './store.ts'

/** What a hook over a subscription returns. */
export interface Heard<Data> {
  /**
   * The newest event of each object, by its `id`, in the order of their first events. Without ids, the last
   * event.
   */
  readonly data: readonly Data[]
  /** Whether `data` has the whole state, of a day all of its games, and nothing that has left it. */
  readonly complete: boolean
  /** Errors of the last event. With one alone, `data` stays as it was, and `stale` is set. */
  readonly errors: readonly FieldError[]
  /** Why no events arrive; null once they arrive again. */
  readonly failure: Error | null
  /**
   * True until the first event, the first failure, or the second sign of a stream without events, such as that of a
   * day without games: 12 to 24 seconds after it has opened.
   */
  readonly loading: boolean
  /**
   * Until when `data` was current, while no events arrive, or while the graph gets no newer rows. Null while it is
   * current.
   */
  readonly stale: Date | null
  /** Whether the stream is open, but the graph gets no newer rows: the service fails, or the budget is spent. */
  readonly outage: boolean
}

/**
 * Pauses before a reconnect. They are short, to find a restarted server soon, and random, so that clients do
 * not return together.
 */
const pauses = { first: 1_000, longest: 8_000 }

/** Those after a spent budget. It is whole again at the turn of a day or month, or is raised. */
const pausesOfBudget = { first: 60_000, longest: 60_000 }

const spent = 'BUDGET_EXCEEDED'

const codesOf = (errors: readonly FieldError[]) => errors.map(({ extensions }) => extensions?.code)

/** Milliseconds before a stream is opened again after so many failures in a row, and the errors with which it ended. */
export const pauseBefore = (failures: number, errors: readonly FieldError[] = []): number =>
  pauseAfter(failures, codesOf(errors).includes(spent) ? pausesOfBudget : pauses)

/** Whether a retry with the same key and variables may succeed. */
export const mayRecover = (errors: readonly FieldError[]): boolean =>
  codesOf(errors).some(
    (code) => code === 'TOO_MANY_SUBSCRIPTIONS' || code === spent || code?.startsWith('UPSTREAM_'),
  )

/** Opens a stream. `onSign` is called with each message, the server’s pings included. */
export type Open<Data> = (signal: AbortSignal, onSign: () => void) => AsyncIterable<Answer<Data>>

export interface Listener<Data> {
  /** `arrivals` are those of the connection. */
  hear(answer: Answer<Data>, arrivals: Arrivals<Data>): void
  /** The stream broke, or could not be opened. It is opened again after a pause. */
  fail(failure: Error): void
  /** The stream is open, and its current state has come, though it may be empty. */
  sign?(arrivals: Arrivals<Data>): void
}

/** Follows a stream until `signal` is aborted or the graph ends it. Reconnects when it breaks. */
export async function follow<Data>(
  open: Open<Data>,
  signal: AbortSignal,
  { hear, fail, sign = () => {} }: Listener<Data>,
): Promise<void> {
  let last: Answer<Data> | undefined
  for (let failures = 0; !signal.aborted; failures += 1) {
    if (failures > 0) await pause(pauseBefore(failures, last?.errors), signal)
    last = undefined
    const arrivals = new Arrivals<Data>()
    let signs = 0
    // The first sign is that of a stream that has opened; the current state comes before the second.
    const onSign = () => void ((signs += 1) > 1 && !signal.aborted && sign(arrivals))
    try {
      for await (const answer of open(signal, onSign)) {
        if (signal.aborted) return
        last = answer
        arrivals.note(answer)
        callOwn(() => hear(answer, arrivals))
        if (answer.data !== null) failures = 0
      }
      if (!last || !mayRecover(last.errors)) return
    } catch (error) {
      if (!signal.aborted) callOwn(() => fail(error as Error)) // NoAnswerError
    }
  }
}

/**
 * One subscription with its variables, shared by all components that show it. Open while at least one does;
 * reconnects when it breaks.
 */
export class LiveStore<Data> extends Store<Heard<Data>> {
  readonly #open: Open<Data>
  #shows: AbortController | null = null
  /** Until when the state is known to be current, in milliseconds since 1970; null before the first state. */
  #currentAt: number | null = null

  constructor(open: Open<Data>) {
    super({ data: [], complete: false, errors: [], failure: null, loading: true, stale: null, outage: false })
    this.#open = open
  }

  /**
   * Forgets what went wrong, and opens the stream at once if it is shown: also one that the graph has refused. For the
   * button of an error boundary.
   */
  readonly reset = (): void => {
    if (!this.isShown || !this.#isWrong) return
    this.#shows?.abort()
    this.#start()
  }

  /** A stream that the graph has ended is opened again for a new component. */
  protected override onFirst(): void {
    if (!this.#shows) this.#start()
  }

  protected override onLast(): void {
    this.#shows?.abort()
    this.#shows = null
    // Whoever shows it next sees an old state until the stream is open again.
    const { stale, ...shown } = this.getSnapshot()
    if (this.#currentAt !== null) this.show({ ...shown, stale: stale ?? this.#since, outage: false })
  }

  /** Until when the state was current, if there is one. */
  get #since(): Date | null {
    return this.#currentAt === null ? null : new Date(this.#currentAt)
  }

  get #isWrong(): boolean {
    const { failure, errors } = this.getSnapshot()
    return failure !== null || errors.length > 0
  }

  #start(): void {
    const shows = new AbortController()
    this.#shows = shows
    if (this.#isWrong)
      this.show({ ...this.getSnapshot(), errors: [], failure: null, loading: this.#currentAt === null })
    void this.#follow(shows.signal).then(() => {
      if (this.#shows === shows) this.#shows = null
    })
  }

  #follow(signal: AbortSignal): Promise<void> {
    return follow(this.#open, signal, {
      hear: ({ data, errors, live }, arrivals) => {
        const shown = this.getSnapshot()
        if (data === null)
          return this.show({
            ...shown,
            errors,
            loading: false,
            stale: shown.stale ?? this.#since,
            outage: true,
          })
        const { stale } = arrivals
        this.#currentAt = stale?.getTime() ?? Date.now()
        const events = arrivals.add(shown.data, data, live)
        const complete = arrivals.complete ?? shown.complete
        this.show({
          data: events,
          complete,
          errors,
          loading: false,
          failure: null,
          stale,
          outage: stale !== null,
        })
      },
      fail: (failure) => {
        const { stale, ...shown } = this.getSnapshot()
        this.show({ ...shown, loading: false, failure, stale: stale ?? this.#since, outage: false })
      },
      sign: (arrivals) => {
        const shown = this.getSnapshot()
        const stale = arrivals.stale && shown.stale
        if (!arrivals.stale) this.#currentAt = Date.now()
        if (shown.loading || shown.failure || shown.stale !== stale)
          this.show({ ...shown, loading: false, failure: null, stale })
      },
    })
  }
}
