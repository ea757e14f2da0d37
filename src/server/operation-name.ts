import { getOperationAST } from 'graphql'
import type { DocumentNode } from 'graphql'

/** Longer names are cut: they are kept and logged. */
const longestName = 64

/** The name of a document's operation; undefined if it has none, or if the document has no such operation. */
export const operationNameOf = (document: DocumentNode, name?: string | null): string | undefined =>
  getOperationAST(document, name)?.name?.value.slice(0, longestName)
