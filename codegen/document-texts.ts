import { printed } from '../src/client/print.ts'

const constant = /^export const (\w+) = (\{.*"kind":"Document".*\}) as unknown as /gm

/** A document as a string object: what a `WeakMap` may have as its key. A fragment alone is never sent. */
function textOf(tree: string): string {
  const document: { definitions: { kind: string }[] } = JSON.parse(tree)
  const isSent = document.definitions.some(({ kind }) => kind === 'OperationDefinition')
  return JSON.stringify(isSent ? printed(document) : '')
}

/**
 * The generated documents with their texts in place of their syntax trees, which take eight times as much.
 * For pages that only send them, as our client does; other client libraries need the trees.
 */
export const documentTexts = (code: string): string =>
  code.replaceAll(
    constant,
    (_, name: string, tree: string) =>
      `export const ${name} = /*#__PURE__*/ new String(${textOf(tree)}) as unknown as `,
  )
