import { answerOf } from './answer.ts'
import type { Answer, Body } from './answer.ts'
import { keyOf } from './document.ts'
import type { Typed } from './document.ts'
import { messagesOf } from './events.ts'
import { NotGraphQLError, OverloadedError } from './errors.ts'
import { LiveStore } from './live-store.ts'
import { callOwn } from './own-code.ts'
import { inTime } from './pause.ts'
import { priceOf } from './price.ts'
import type { Price } from './price.ts'
import { QueryStore } from './query-store.ts'
import type { Kept } from './query-store.ts'
import { Stores } from './stores.ts'
import { ask, failureOf, send } from './transport.ts'
import type { TransportOptions } from './transport.ts'

export interface ClientOptions extends TransportOptions {
  /**
   * Requests the plan of every answer: which call served which field. A function is called before each
   * request. Such answers are slower, because the server's kept answers are not used.
   */
  readonly explain?: boolean | (() => boolean)
  /** Called with every answer and its bill. */
  readonly onAnswer?: (answer: Answer<unknown>, asked: Asked) => void
}

/** What an answer is of. */
export interface Asked {
  readonly document: Typed<unknown, never>
  readonly variables: unknown
  /** Whether it is an event of a subscription. */
  readonly isEvent: boolean
}

export interface QueryOptions {
  /** Ends the query: it throws an AbortError. */
  readonly signal?: AbortSignal | undefined
  /** Accepts expired rows that were bought at most so many seconds ago. `stale` then reports them. */
  readonly maxAge?: number | undefined
  /** Refuses the query, with BudgetError, if it would cost more tokens. */
  readonly maxTokens?: number | undefined
}

/** The answers of a server for the page that it renders. It can be serialized as JSON. */
export type State = Readonly<Record<string, Kept<unknown>>>

const answerTypes = 'application/graphql-response+json, application/json'
const eventStream = 'text/event-stream'

/** Milliseconds that a stream may take to open. The graph opens it before it has anything to say. */
export const longestOpening = 15_000

/**
 * Queries the graph over HTTP, and keeps the answers that components share. Create one for a page; on a
 * server, one for each request.
 */
export class Client {
  readonly #options: ClientOptions
  readonly #queries = new Stores<QueryStore<unknown>>()
  readonly #live = new Stores<LiveStore<unknown>>()

  constructor(options: ClientOptions = {}) {
    this.#options = options
  }

  /**
   * Runs a query. Failed fields are in `errors`. Throws a NoAnswerError if no answer comes, after `retries`,
   * and an AbortError (a DOMException) once `signal` is aborted.
   */
  async query<Data, Variables>(
    document: Typed<Data, Variables>,
    variables: Variables,
    { signal, maxAge, maxTokens }: QueryOptions = {},
  ): Promise<Answer<Data>> {
    const extensions = {
      ...this.#explained,
      ...(maxAge && { maxAge: Math.min(maxAge, Number.MAX_SAFE_INTEGER) }), // JSON has no Infinity
      ...(maxTokens !== undefined && { maxTokens }),
    }
    const request = { document, variables, extensions, accept: answerTypes, signal }
    return this.#tell(await ask<Body<Data>>(this.#options, request), { document, variables, isEvent: false })
  }

  /** What a query would cost now, without spending anything. Throws QueryError if it would be refused. */
  async price<Data, Variables>(
    document: Typed<Data, Variables>,
    variables: Variables,
    { signal }: Pick<QueryOptions, 'signal'> = {},
  ): Promise<Price> {
    const extensions = { explain: 'dry' }
    return priceOf(
      await ask<Body<Data>>(this.#options, { document, variables, extensions, accept: answerTypes, signal }),
    )
  }

  /**
   * The events of a subscription, over one connection (GraphQL over SSE, distinct connections). Ends when the
   * graph ends it, or when `signal` is aborted. Throws NoAnswerError if the connection fails or breaks.
   * `onSign` is called whenever something arrives, also the server’s pings.
   */
  async *subscribe<Data, Variables>(
    document: Typed<Data, Variables>,
    variables: Variables,
    { signal, onSign }: { readonly signal?: AbortSignal; readonly onSign?: () => void } = {},
  ): AsyncGenerator<Answer<Data>, void> {
    const connection = new AbortController()
    const cut = () => connection.abort()
    try {
      await Promise.resolve() // React's strict mode unmounts at once; nothing is sent then
      if (signal?.aborted) return
      signal?.addEventListener('abort', cut)
      const opening = send(this.#options, {
        document,
        variables,
        extensions: this.#explained,
        accept: eventStream,
        signal: connection.signal,
      })
      const response = await inTime(opening, longestOpening, 'The stream did not open.')
      for await (const { event, data } of messagesOf(streamOf(response), onSign)) {
        if (event === 'complete') return
        if (event !== 'next') continue
        // The graph's answers have this shape.
        yield this.#tell(JSON.parse(data) as Body<Data>, { document, variables, isEvent: true })
      }
      throw new Error('The stream was cut off.')
    } catch (error) {
      if (!signal?.aborted) throw failureOf(error)
    } finally {
      signal?.removeEventListener('abort', cut)
      cut()
    }
  }

  /** The shared state of a query with these variables, for any framework. It asks when `load` is called. */
  watch<Data, Variables>(document: Typed<Data, Variables>, variables: Variables): QueryStore<Data> {
    const store = this.#queries.get(keyOf(document, variables), () => new QueryStore<unknown>())
    const asked = (after: string | null) => (after === null ? variables : { ...variables, after })
    store.askBy((after, maxAge) => this.query(document, asked(after), { maxAge }))
    return store as QueryStore<Data> // the key contains the document, which has the type
  }

  /**
   * The shared state of a subscription with these variables, for any framework. Open while it has listeners.
   */
  live<Data, Variables>(document: Typed<Data, Variables>, variables: Variables): LiveStore<Data> {
    const open = (signal: AbortSignal, onSign: () => void) =>
      this.subscribe(document, variables, { signal, onSign })
    const store = this.#live.get(keyOf(document, variables), () => new LiveStore<unknown>(open))
    return store as LiveStore<Data> // as above
  }

  /** Runs a query on a server for a page. The state has the answer, unless the query failed. */
  async preload<Data, Variables>(document: Typed<Data, Variables>, variables: Variables): Promise<State> {
    const store = this.watch(document, variables)
    await store.load()
    const { kept } = store
    return kept ? { [keyOf(document, variables)]: kept } : {}
  }

  /** Every answer that this client has, for the page. */
  dehydrate(): State {
    return Object.fromEntries(
      this.#queries.entries().flatMap(([key, { kept }]) => (kept ? [[key, kept] as const] : [])),
    )
  }

  /** Takes over answers from the server, unless newer ones are known. May be called while a page renders. */
  hydrate(state: State): void {
    for (const [key, kept] of Object.entries(state)) {
      const store = this.#queries.get(key, () => new QueryStore<unknown>())
      if (store.isShown) queueMicrotask(() => store.hydrate(kept))
      else store.hydrate(kept)
    }
  }

  /** Drops failures, so that components ask again, and opens streams again that were refused. For the button of an error boundary. */
  reset(): void {
    for (const stores of [this.#queries, this.#live]) for (const [, store] of stores.entries()) store.reset()
  }

  get #explained() {
    const { explain } = this.#options
    return (typeof explain === 'function' ? explain() : explain) ? { explain: true } : {}
  }

  #tell<Data>(body: Body<Data>, asked: Asked): Answer<Data> {
    const answer = answerOf(body)
    callOwn(() => this.#options.onAnswer?.(answer, asked))
    return answer
  }
}

/** The body of a stream of events. */
function streamOf(response: Response): ReadableStream<Uint8Array> {
  const { status, headers, body } = response
  if (headers.get('content-type')?.startsWith(eventStream) && body) return body
  throw status > 500 || status === 429 ? new OverloadedError(status) : new NotGraphQLError(status)
}
