import { GraphQLError } from 'graphql'
import { CodedError } from '../upstream/errors.ts'
import { report } from './report.ts'

/** The one place where an error becomes a client's: its code and message where it is ours to tell, and nothing else of it. */
export function maskError(thrown: unknown, message: string): Error {
  const error =
    thrown instanceof GraphQLError ? thrown : new GraphQLError(message, { originalError: asError(thrown) })
  const original = error.originalError
  if (original instanceof CodedError) return coded(error, original.message, original.code)
  // What graphql-js itself finds wrong with a query has no original, or one of its own kind.
  if (original === undefined || original instanceof GraphQLError)
    return error.extensions['code'] ? error : coded(error, error.message, 'BAD_USER_INPUT')
  report(original)
  return coded(error, message, 'INTERNAL_SERVER_ERROR')
}

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))

function coded({ nodes, source, positions, path, extensions }: GraphQLError, message: string, code: string) {
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions, code } })
}
