import { createHash } from 'node:crypto'
import { printed } from '../src/client/print.ts'

const constant = /^export const (\w+) = (\{.*"kind":"Document".*\}) as unknown as /gm

/** A document as a string object: what a `WeakMap` may have as its key. A fragment alone is never sent. */
function textOf(tree: string): string {
  const document: { definitions: { kind: string }[] } = JSON.parse(tree)
  const isSent = document.definitions.some(({ kind }) => kind === 'OperationDefinition')
  return isSent ? printed(document) : ''
}

/**
 * The generated documents with their texts in place of their syntax trees, which take eight times as much.
 * For pages that only send them, as our client does; other client libraries need the trees.
 */
export const documentTexts = (code: string): string =>
  code.replaceAll(
    constant,
    (_, name: string, tree: string) =>
      `export const ${name} = /*#__PURE__*/ new String(${JSON.stringify(textOf(tree))}) as unknown as `,
  )

/** The texts that such pages send, by their hash as in a manifest of trusted documents. */
export const textsByHash = (code: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...code.matchAll(constant)]
      .map(([, , tree = '']) => textOf(tree))
      .filter((text) => text !== '')
      .map((text) => [`sha256:${createHash('sha256').update(text).digest('hex')}`, text]),
  )
