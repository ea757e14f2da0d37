import { GraphQLError } from 'graphql'
import { CodedError } from '../upstream/errors.ts'
import { report } from './report.ts'

/** The only place where errors become public: the code and message of our own errors, and nothing else. */
export function maskError(thrown: unknown, message: string): Error {
  const error =
    thrown instanceof GraphQLError ? thrown : new GraphQLError(message, { originalError: asError(thrown) })
  const original = error.originalError
  if (original instanceof CodedError) return coded(error, original.message, original.code)
  // Errors that graphql-js finds in a query have no original error, or one of its own class.
  if (original === undefined || original instanceof GraphQLError)
    return error.extensions['code'] ? error : coded(error, error.message, 'BAD_USER_INPUT')
  report(original)
  return coded(error, message, 'INTERNAL_SERVER_ERROR')
}

/** The same with the message of all internal errors. */
export const mask = (error: unknown) => maskError(error, 'Unexpected error.') as GraphQLError // it makes no other

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))

function coded({ nodes, source, positions, path, extensions }: GraphQLError, message: string, code: string) {
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions, code } })
}
