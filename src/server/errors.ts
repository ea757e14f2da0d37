import { GraphQLError } from 'graphql'
import { CodedError } from '../upstream/errors.ts'

/** The one place where an error becomes a client's: its code and message where it is ours to tell, and nothing else of it. */
export function maskError(error: unknown, message: string): Error {
  if (!(error instanceof GraphQLError))
    return new GraphQLError(message, { extensions: { code: 'INTERNAL_SERVER_ERROR' } })
  const original = error.originalError
  if (original instanceof CodedError) return coded(error, original.message, original.code)
  // What graphql-js itself finds wrong with a query has no original, or one of its own kind.
  if (original === undefined || original instanceof GraphQLError)
    return error.extensions['code'] ? error : coded(error, error.message, 'BAD_USER_INPUT')
  console.error(original)
  return coded(error, message, 'INTERNAL_SERVER_ERROR')
}

function coded({ nodes, source, positions, path, extensions }: GraphQLError, message: string, code: string) {
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions, code } })
}
