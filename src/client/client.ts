import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { print } from 'graphql/language/printer.js'
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

/** The hash that code generation has put into a document; a document made otherwise has none. */
function hashOf(document: object): string | undefined {
  const meta: unknown = Reflect.get(document, '__meta__')
  const hash: unknown = typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'hash') : undefined
  return typeof hash === 'string' ? hash.replace(/^sha256:/, '') : undefined
}

/** Asks the graph over HTTP, and keeps what hooks are showing. One for a page. */
export class Client {
  readonly #options: ClientOptions
  readonly #watched = new Map<string, Watched<unknown>>()

  constructor(options: ClientOptions = {}) {
    this.#options = options
  }

  /** Runs a query. Throws NoAnswerError; a field that failed is in `errors`. */
  async query<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): Promise<Answer<Data>> {
    const hash = this.#options.trusted ? hashOf(document) : undefined
    const asked = hash
      ? { extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }
      : { query: print(document) }
    const body: Body<Data> = await this.#send(JSON.stringify({ ...asked, variables }), signal)
    const answer = {
      data: body.data ?? null,
      errors: body.errors ?? [],
      usage: body.extensions?.usage ?? null,
    }
    this.#options.onAnswer?.(answer)
    return answer
  }

  /** What everybody shares who shows the same query with the same variables. */
  watch<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Watched<Data> {
    const key = `${print(document)}${JSON.stringify(variables)}`
    const known = this.#watched.get(key) ?? new Watched(() => this.query(document, variables))
    this.#watched.set(key, known)
    return known as Watched<Data> // the key holds the document, which tells the type
  }

  async #send<Data>(body: string, signal: AbortSignal | undefined): Promise<Body<Data>> {
    const { url = '/graphql', headers = {}, fetch = globalThis.fetch } = this.#options
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/graphql-response+json, application/json',
          ...(typeof headers === 'function' ? headers() : headers),
        },
        body,
        signal: signal ?? null,
      })
      return (await response.json()) as Body<Data> // the graph's answers have this shape, whatever their status
    } catch (error) {
      throw new NoAnswerError('Statline could not be reached.', { cause: error })
    }
  }
}
