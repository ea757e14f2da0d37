import { hasNothing } from './answer.ts'
import type { Answer, Stale } from './answer.ts'
import { lacksList, nextCursor, withPage } from './pages.ts'
import { Store } from './store.ts'

/** What a hook over a query returns: the last answer, and whether a newer one is loading. */
export interface Shown<Data> extends Answer<Data> {
  readonly loading: boolean
  /** Why there is no newer answer; null once one has come. */
  readonly failure: Error | null
  /** Whether `fetchMore` brings further entries of the list. */
  readonly hasMore: boolean
}

const blank = {
  data: null,
  errors: [],
  usage: null,
  stale: null,
  failure: null,
  loading: true,
  hasMore: false,
}

/** An answer with its time in milliseconds since 1970, which a server passes to the page. */
export interface Kept<Data> {
  readonly answer: Answer<Data>
  readonly at: number
}

/** Loads the page of a list after a cursor; null for the first page. Rows may be so many seconds old. */
export type Ask<Data> = (after: string | null, maxAge: number) => Promise<Answer<Data>>

/** An answer, and the time of its rows by `performance.now()`. */
interface Loaded<Data> {
  readonly answer: Answer<Data>
  readonly at: number
}

/** One query with its variables, shared by all components that show it. */
export class QueryStore<Data> extends Store<Shown<Data>> {
  #ask: Ask<Data> = () => Promise.reject(new Error('Only a server has asked for it yet.'))
  #loading: Promise<void> | null = null
  #more: Promise<void> | null = null
  #pages = 1
  #hydratedAt = 0
  /** When the answer came, by `performance.now()`, which is never set. */
  #at = Number.NEGATIVE_INFINITY

  constructor() {
    super(blank)
  }

  /** Sets how it asks. Until then it can only show what a server has asked. */
  askBy(ask: Ask<Data>): void {
    this.#ask = ask
  }

  override get isNeeded(): boolean {
    return this.#loading !== null || super.isNeeded
  }

  /**
   * Sends the query unless the last answer is younger than `maxAge` seconds or a query is running. Its rows
   * may be expired but at most `rowAge` seconds old. All pages that were fetched are loaded again. Never
   * rejects: a failure is shown.
   */
  readonly load = (maxAge = 0, rowAge = maxAge): Promise<void> => {
    if (this.#loading) return this.#loading
    if (performance.now() - this.#at < maxAge * 1_000) return Promise.resolve()
    return this.#run(() => this.#askPages(rowAge))
  }

  /**
   * Adds the next page of the list, the first connection in the answer. Its arguments have to have `$after`. Its rows
   * may be expired but at most `rowAge` seconds old.
   */
  readonly fetchMore = (rowAge = 0): Promise<void> => {
    this.#more ??= this.#askMore(rowAge).finally(() => (this.#more = null))
    return this.#more
  }

  async #askMore(rowAge: number): Promise<void> {
    // A query that is sent meanwhile, also in the same turn, comes first.
    do await this.#loading
    while (this.#loading)
    const { data } = this.getSnapshot()
    const after = nextCursor(data)
    if (data === null || after === null) return
    await this.#run(async () => {
      const next = await this.#ask(after, rowAge)
      const all = withPage(data, next.data)
      if (all === null) return { answer: { ...next, data, stale: this.getSnapshot().stale }, at: this.#at }
      this.#pages += 1
      const stale = staler(this.getSnapshot().stale, next.stale)
      return { answer: { ...next, data: all, stale }, at: Math.min(this.#at, timeOf(next)) }
    })
  }

  /** Forgets a failure and asks anew when a component shows it, for the button of an error boundary. */
  readonly reset = (): void => {
    const shown = this.getSnapshot()
    if (!shown.failure && shown.errors.length === 0) return
    this.#at = Number.NEGATIVE_INFINITY
    if (hasNothing(shown) && !this.#loading) this.show(blank)
  }

  /** The last answer, for a page that a server renders; null if there is none. */
  get kept(): Kept<Data> | null {
    const { data, errors, usage, stale, failure } = this.getSnapshot()
    if (data === null || failure || hasNothing({ data, errors }) || !Number.isFinite(this.#at)) return null
    return { answer: { data, errors, usage, stale }, at: Date.now() - (performance.now() - this.#at) }
  }

  /** Shows a server’s answer unless a newer one is known. */
  hydrate({ answer, at }: Kept<Data>): void {
    // The clocks of server and page may differ, so a time in the future becomes now.
    const then = performance.now() - Math.max(0, Date.now() - at)
    if (at <= this.#hydratedAt || then <= this.#at) return
    this.#hydratedAt = at
    this.#at = then
    this.hydrated(shownOf(answer))
  }

  /** All pages that are shown. Where one of them fails, what is shown stays. */
  async #askPages(maxAge: number): Promise<Loaded<Data>> {
    let answer = await this.#ask(null, maxAge)
    if (this.#isFailed(answer)) return this.#unchanged(answer)
    for (let page = 1; page < this.#pages; page += 1) {
      const after = nextCursor(answer.data)
      if (answer.data === null || after === null) break
      const next = await this.#ask(after, maxAge)
      const data = withPage(answer.data, next.data)
      if (data === null) return this.#unchanged(next)
      const errors = [...answer.errors, ...next.errors]
      answer = { ...next, data, errors, stale: staler(answer.stale, next.stale) }
    }
    return { answer, at: timeOf(answer) }
  }

  /** Whether an answer has less than what is shown because of its errors. */
  #isFailed(answer: Answer<Data>): boolean {
    const { data } = this.getSnapshot()
    if (data === null) return false
    return hasNothing(answer) || (answer.errors.length > 0 && lacksList(data, answer.data))
  }

  /** What is shown, with the errors of an answer that failed. */
  #unchanged(failed: Answer<Data>): Loaded<Data> {
    const { data, stale } = this.getSnapshot()
    return { answer: { ...failed, data, stale }, at: Number.NEGATIVE_INFINITY }
  }

  #run(ask: () => Promise<Loaded<Data>>): Promise<void> {
    // A first load does not change the state, so that it may start while a page renders.
    if (!this.getSnapshot().loading) this.show({ ...this.getSnapshot(), loading: true })
    this.#loading = ask().then(
      ({ answer, at }) => this.#end(at, shownOf(answer)),
      (failure: Error) =>
        this.#end(Number.NEGATIVE_INFINITY, { ...this.getSnapshot(), loading: false, failure }),
    )
    return this.#loading
  }

  /** Shows what has come. Who has waited for it has as long again to show it. */
  #end(at: number, shown: Shown<Data>): void {
    this.#at = at
    this.#loading = null
    if (this.isNeeded) this.expect()
    this.show(shown)
  }
}

/** By `performance.now()`, when the oldest rows of an answer were bought that has just come. */
const timeOf = ({ stale }: Answer<unknown>) => performance.now() - (stale?.seconds ?? 0) * 1_000

/** What is stale in two pages together. */
const staler = (a: Stale | null, b: Stale | null): Stale | null =>
  a && b ? { rows: a.rows + b.rows, seconds: Math.max(a.seconds, b.seconds) } : (a ?? b)

const shownOf = <Data>(answer: Answer<Data>): Shown<Data> => ({
  ...answer,
  failure: null,
  loading: false,
  hasMore: nextCursor(answer.data) !== null,
})
