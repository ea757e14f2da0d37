import { GraphQLError } from 'graphql'
import type { ExecutionResult, GraphQLErrorExtensions } from 'graphql'
import { CodedError } from '../errors/errors.ts'
import { report } from './report.ts'

/** The only place where errors become public: the code and message of our own errors, and nothing else. */
export function maskError(thrown: unknown, message: string): Error {
  const error =
    thrown instanceof GraphQLError ? thrown : new GraphQLError(message, { originalError: asError(thrown) })
  const original = error.originalError
  if (original instanceof CodedError) return coded(error, original.message, original.code, original.details)
  // Errors that graphql-js finds in a query have no original error, or one of its own class.
  if (original === undefined || original instanceof GraphQLError)
    return error.extensions['code'] ? error : coded(error, error.message, 'BAD_USER_INPUT')
  report(original)
  return coded(error, message, 'INTERNAL_SERVER_ERROR')
}

/** An error without its HTTP status. Yoga removes it from answers over HTTP; other clients would see it. */
export function withoutStatus(error: GraphQLError): GraphQLError {
  const { http: _status, ...extensions } = error.extensions
  return rewritten(error, error.message, extensions)
}

/** The same with the message of all internal errors. */
export const mask = (error: unknown) => maskError(error, 'Unexpected error.') as GraphQLError // it makes no other

/** The same of all errors of a result. */
export const resultWithoutStatus = (result: ExecutionResult): ExecutionResult =>
  result.errors ? { ...result, errors: result.errors.map(withoutStatus) } : result

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))

const coded = (error: GraphQLError, message: string, code: string, details?: object) =>
  rewritten(error, message, { ...error.extensions, code, ...details })

const rewritten = (
  { nodes, source, positions, path }: GraphQLError,
  message: string,
  extensions: GraphQLErrorExtensions,
) => new GraphQLError(message, { nodes, source, positions, path, extensions })
