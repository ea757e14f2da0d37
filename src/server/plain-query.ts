import type { IncomingHttpHeaders } from 'node:http'
import type { DocumentNode, GraphQLError } from 'graphql'
import type { GraphQLParams } from 'graphql-yoga'
import type { ExecutionContext } from '../graph/execution/context.ts'
import type { KeptAnswer } from './answer-cache.ts'

/** A query from the body of a request. */
export interface PlainQuery {
  /** Identifies everything that the answer depends on; null if the answer is not kept. */
  readonly name: string | null
  readonly params: GraphQLParams
  readonly document: DocumentNode
  readonly headers: IncomingHttpHeaders
}

/** An answer ready to be sent. */
export interface Printed {
  readonly bytes: Buffer
  readonly errors: readonly GraphQLError[] | undefined
  /** Whether `data` is null. */
  readonly isNull: boolean
  /** The header of that name. */
  readonly cacheControl: string
}

/** What the direct path needs of its server. */
export interface DirectPathServer {
  /** Whether requests with these headers may be answered. Others are left to Yoga, which refuses them. */
  readonly isAllowed: (headers: IncomingHttpHeaders) => boolean
  /** Identifies a request by its account, its body and the media type of its answer. */
  readonly nameOf: (body: Buffer, type: string, headers: IncomingHttpHeaders) => string
  /** A kept answer that is still fresh. */
  readonly find: (name: string, headers: IncomingHttpHeaders) => KeptAnswer | undefined
  /** The text of the document that a request names or contains. Throws if Yoga has to refuse it. */
  readonly textOf: (params: GraphQLParams) => string | undefined
  /** A parsed and validated document; undefined for any other. */
  readonly documentOf: (text: string) => DocumentNode | undefined
  readonly contextOf: (query: PlainQuery) => ExecutionContext
  /** The client's name. */
  readonly clientOf: (headers: IncomingHttpHeaders) => string
  /**
   * Executes a query with its span and metrics. Adds the bill to the result, or keeps the whole answer as
   * bytes.
   */
  readonly execute: (query: PlainQuery, context: ExecutionContext) => Promise<Printed | KeptAnswer>
  /** The request headers that an answer depends on, beside `Accept-Encoding`. */
  readonly vary: string
  readonly cacheControlOf: (kept: KeptAnswer) => string
}
