import { textOf } from './document.ts'
import type { Typed } from './document.ts'
import { messagesOf } from './events.ts'
import { hashOf } from './hash.ts'
import { Live } from './live.ts'
import { priceOf } from './price.ts'
import type { DryRun, PlanEntry, Price } from './price.ts'
import { Watched } from './watched.ts'

/** What the service billed for one answer. */
export interface Usage {
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
  readonly cacheHits: number
}

/**
 * The failure of one field; all other fields are answered. `code` is one of the graph’s, such as
 * `ACCESS_DENIED`.
 */
export interface FieldError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: { readonly code?: string }
}

/** The answer to a query. If a call failed, its fields are null and `errors` says why. */
export interface Answer<Data> {
  readonly data: Data | null
  readonly errors: readonly FieldError[]
  readonly usage: Usage | null
  /** Which call served which field, and its bill; only if the client has `explain`. */
  readonly plan?: readonly PlanEntry[]
}

/** No answer: the connection failed, or the response is not GraphQL. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

export interface ClientOptions {
  /** The address of the graph; `/graphql` by default. */
  readonly url?: string
  /**
   * Headers of every request, or a function that makes them: `{ 'x-api-key': … }` if each client brings its
   * own key.
   */
  readonly headers?: Record<string, string> | (() => Record<string, string>)
  readonly fetch?: typeof globalThis.fetch
  /**
   * Sends each document's hash instead of its text. The server has to trust the documents of
   * `statline-client/trusted-documents.json`.
   */
  readonly trusted?: boolean
  /** Asks for the plan of every answer: which call served which field. */
  readonly explain?: boolean
  /** Called with every answer and its bill. */
  readonly onAnswer?: (answer: Answer<unknown>) => void
}

interface Body<Data> {
  readonly data?: Data | null
  readonly errors?: readonly FieldError[]
  readonly extensions?: { readonly usage?: Usage; readonly plan?: readonly PlanEntry[] } & DryRun
}

const answerTypes = 'application/graphql-response+json, application/json'
const eventStream = 'text/event-stream'

const unreachable = (cause: unknown) =>
  cause instanceof NoAnswerError ? cause : new NoAnswerError('Statline could not be reached.', { cause })

/** Queries the graph over HTTP, and caches what hooks show. Create one for a page. */
export class Client {
  readonly #options: ClientOptions
  readonly #watched = new Map<string, Watched<unknown>>()
  readonly #live = new Map<string, Live<unknown>>()

  constructor(options: ClientOptions = {}) {
    this.#options = options
  }

  /** Runs a query. Throws NoAnswerError; failed fields are in `errors`. */
  async query<Data, Variables>(
    document: Typed<Data, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): Promise<Answer<Data>> {
    return this.#tell(await this.#answer<Data>(document, variables, this.#explained, signal))
  }

  /**
   * What a query would cost now. Spends nothing. Throws NoAnswerError, also if the graph does not price
   * queries or refuses this one.
   */
  async price<Data, Variables>(
    document: Typed<Data, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): Promise<Price> {
    const { extensions, errors } = await this.#answer(document, variables, { explain: 'dry' }, signal)
    const price = priceOf(extensions)
    if (!price) throw new NoAnswerError(errors?.[0]?.message ?? 'This graph does not price queries.')
    return price
  }

  /**
   * The events of a subscription, over one connection (GraphQL over SSE, distinct connections). Ends when the
   * graph ends it, or when `signal` is aborted. Throws NoAnswerError if the connection fails or breaks.
   */
  async *subscribe<Data, Variables>(
    document: Typed<Data, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): AsyncGenerator<Answer<Data>, void> {
    try {
      await Promise.resolve() // React's strict mode unmounts at once; nothing is sent then
      if (signal?.aborted) return
      const response = await this.#post(document, variables, eventStream, this.#explained, signal)
      const isStream = response.headers.get('content-type')?.startsWith(eventStream)
      if (!isStream || !response.body) throw new Error(`No stream, but status ${response.status}.`)
      for await (const { event, data } of messagesOf(response.body)) {
        if (event === 'complete') return
        if (event === 'next') yield this.#tell(JSON.parse(data) as Body<Data>) // as above
      }
      throw new Error('The stream was cut off.')
    } catch (error) {
      if (!signal?.aborted) throw unreachable(error)
    }
  }

  /** The shared state of a query with these variables. */
  watch<Data, Variables>(document: Typed<Data, Variables>, variables: Variables): Watched<Data> {
    const key = `${textOf(document)}${JSON.stringify(variables)}`
    const known = this.#watched.get(key) ?? new Watched(() => this.query(document, variables))
    this.#watched.set(key, known)
    return known as Watched<Data> // the key contains the document, which has the type
  }

  /** The shared state of a subscription with these variables. */
  live<Data, Variables>(document: Typed<Data, Variables>, variables: Variables): Live<Data> {
    const key = `${textOf(document)}${JSON.stringify(variables)}`
    const known = this.#live.get(key) ?? new Live((signal) => this.subscribe(document, variables, signal))
    this.#live.set(key, known)
    return known as Live<Data> // as above
  }

  #tell<Data>({ data = null, errors = [], extensions }: Body<Data>): Answer<Data> {
    const { usage = null, plan } = extensions ?? {}
    const answer = { data, errors, usage, ...(plan && { plan }) }
    this.#options.onAnswer?.(answer)
    return answer
  }

  get #explained(): object {
    return this.#options.explain ? { explain: true } : {}
  }

  async #answer<Data>(
    document: Typed<unknown, never>,
    variables: unknown,
    extensions: object,
    signal: AbortSignal | undefined,
  ): Promise<Body<Data>> {
    const response = await this.#post(document, variables, answerTypes, extensions, signal)
    const body = await response.json().catch((error: unknown) => Promise.reject(unreachable(error)))
    return body as Body<Data> // the graph's answers have this shape, whatever their status
  }

  async #post(
    document: Typed<unknown, never>,
    variables: unknown,
    accept: string,
    extensions: object,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const { url = '/graphql', headers = {}, fetch = globalThis.fetch, trusted } = this.#options
    const hash = trusted ? hashOf(document) : ''
    const named = hash ? { persistedQuery: { version: 1, sha256Hash: hash } } : {}
    const sent = { ...named, ...extensions }
    const asked = {
      ...(!hash && { query: textOf(document) }),
      ...(Object.keys(sent).length > 0 && { extensions: sent }),
    }
    try {
      return await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept,
          ...(typeof headers === 'function' ? headers() : headers),
        },
        body: JSON.stringify({ ...asked, variables }),
        signal: signal ?? null,
      })
    } catch (error) {
      throw unreachable(error)
    }
  }
}
