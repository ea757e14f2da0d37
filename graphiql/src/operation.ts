import { getOperationAST, parse } from 'graphql'
import type { DocumentNode } from 'graphql'
import type { Kind } from './run.ts'

export interface Operation {
  readonly kind: Kind
  readonly operationName: string | undefined
}

function documentIn(text: string): DocumentNode | null {
  try {
    return parse(text)
  } catch {
    return null
  }
}

/**
 * The operation that a text would run; null if the text is not valid GraphQL. If GraphiQL still names an
 * operation of the tab that was left, the text's only operation is used.
 */
export function operationIn(text: string, name: string | null | undefined): Operation | null {
  const document = documentIn(text)
  if (!document) return null
  const isNamed = name && getOperationAST(document, name)
  const operation = isNamed || getOperationAST(document)
  const kind = operation?.operation === 'subscription' ? 'subscription' : 'query'
  return { kind, operationName: isNamed ? name : undefined }
}
