import { getOperationAST, GraphQLError } from 'graphql'
import type { DocumentNode } from 'graphql'

/**
 * The error of a request that names none of its document's operations: 422 by GraphQL over HTTP, and 200 with
 * `application/json`, which Yoga gives errors with `spec`.
 */
export const noOperation = (): GraphQLError =>
  new GraphQLError('Could not determine what operation to execute.', {
    extensions: { code: 'OPERATION_RESOLUTION_FAILURE', http: unprocessable },
  })

/** The status of a request that GraphQL refuses before it executes anything. */
export const unprocessable = { status: 422, spec: true } as const

/** Longer names are cut: they are kept and logged. */
const longestName = 64

/** The name of a document's operation; undefined if it has none, or if the document has no such operation. */
export const operationNameOf = (document: DocumentNode, name?: string | null): string | undefined =>
  getOperationAST(document, name)?.name?.value.slice(0, longestName)
