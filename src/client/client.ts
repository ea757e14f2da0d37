import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { print } from 'graphql/language/printer.js'
import { messagesOf } from './events.ts'
import { hashOf } from './hash.ts'
import { Live } from './live.ts'
import { Watched } from './watched.ts'

/** What one answer made the service bill. */
export interface Usage {
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
  readonly cacheHits: number
}

/** One field's failure: the rest of the answer stands. `code` is one of the contract's, `ACCESS_DENIED` say. */
export interface FieldError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: { readonly code?: string }
}

/** What a query was answered with. Where a call failed, its fields are null and `errors` says why. */
export interface Answer<Data> {
  readonly data: Data | null
  readonly errors: readonly FieldError[]
  readonly usage: Usage | null
}

/** No answer came: no connection, or something that is not GraphQL. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

export interface ClientOptions {
  /** Where the graph is: `/graphql` unless given. */
  readonly url?: string
  /** Headers of every request, or what makes them: `{ 'x-api-key': … }` where each client brings its own key. */
  readonly headers?: Record<string, string> | (() => Record<string, string>)
  readonly fetch?: typeof globalThis.fetch
  /** Sends the hash of a document in its place, to a graph that trusts the documents of `statline/client/trusted-documents.json`. */
  readonly trusted?: boolean
  /** Told of every answer with its bill. */
  readonly onAnswer?: (answer: Answer<unknown>) => void
}

interface Body<Data> {
  readonly data?: Data | null
  readonly errors?: readonly FieldError[]
  readonly extensions?: { readonly usage?: Usage }
}

const answerTypes = 'application/graphql-response+json, application/json'
const eventStream = 'text/event-stream'

const unreachable = (cause: unknown) =>
  cause instanceof NoAnswerError ? cause : new NoAnswerError('Statline could not be reached.', { cause })

/** Asks the graph over HTTP, and keeps what hooks are showing. One for a page. */
export class Client {
  readonly #options: ClientOptions
  readonly #watched = new Map<string, Watched<unknown>>()
  readonly #live = new Map<string, Live<unknown>>()

  constructor(options: ClientOptions = {}) {
    this.#options = options
  }

  /** Runs a query. Throws NoAnswerError; a field that failed is in `errors`. */
  async query<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): Promise<Answer<Data>> {
    const response = await this.#post(document, variables, answerTypes, signal)
    const body = await response.json().catch((error: unknown) => Promise.reject(unreachable(error)))
    return this.#tell(body as Body<Data>) // the graph's answers have this shape, whatever their status
  }

  /**
   * The events of a subscription, over one connection (GraphQL over SSE, distinct connections). Ends when the graph ends it, or once `signal`
   * is aborted. Throws NoAnswerError where the connection cannot be had, or breaks.
   */
  async *subscribe<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): AsyncGenerator<Answer<Data>, void> {
    try {
      await Promise.resolve() // who unmounts at once, as React does in its strict mode, has asked nothing
      if (signal?.aborted) return
      const response = await this.#post(document, variables, eventStream, signal)
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

  /** What everybody shares who shows the same query with the same variables. */
  watch<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Watched<Data> {
    const key = `${print(document)}${JSON.stringify(variables)}`
    const known = this.#watched.get(key) ?? new Watched(() => this.query(document, variables))
    this.#watched.set(key, known)
    return known as Watched<Data> // the key holds the document, which tells the type
  }

  /** What everybody shares who shows the same subscription with the same variables. */
  live<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Live<Data> {
    const key = `${print(document)}${JSON.stringify(variables)}`
    const known = this.#live.get(key) ?? new Live((signal) => this.subscribe(document, variables, signal))
    this.#live.set(key, known)
    return known as Live<Data> // as above
  }

  #tell<Data>({ data = null, errors = [], extensions }: Body<Data>): Answer<Data> {
    const answer = { data, errors, usage: extensions?.usage ?? null }
    this.#options.onAnswer?.(answer)
    return answer
  }

  async #post(
    document: TypedDocumentNode<unknown, never>,
    variables: unknown,
    accept: string,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const { url = '/graphql', headers = {}, fetch = globalThis.fetch, trusted } = this.#options
    const hash = trusted ? hashOf(document) : ''
    const asked = hash
      ? { extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }
      : { query: print(document) }
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
