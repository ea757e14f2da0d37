import { hashOf } from './hash.ts'
import { printed } from './print.ts'

/**
 * The types of a document’s data and variables, as code generators attach them to documents of every form.
 */
export interface Typed<Data, Variables> {
  readonly __apiType?: (variables: Variables) => Data
}

/**
 * A document that our code generation made. It can be passed wherever graphql’s `DocumentNode` or a
 * `TypedDocumentNode` is expected. `never`, because graphql 16 has an enum here and graphql 17 strings.
 */
export interface TypedDocument<Data, Variables> extends Typed<Data, Variables> {
  readonly kind: never
  readonly definitions: readonly never[]
}

/** The data of a document: `DataOf<typeof ScoreboardDocument>`. */
export type DataOf<Document> = Document extends Typed<infer Data, never> ? Data : never

/** The variables of a document: `VariablesOf<typeof ScoreboardDocument>`. */
export type VariablesOf<Document> = Document extends Typed<unknown, infer Variables> ? Variables : never

const texts = new WeakMap<object, string>()

/** The text of a document: of a syntax tree, or of a string as codegen’s `documentMode: string` makes it. */
export function textOf(document: object | string): string {
  if (typeof document === 'string') return document
  const known = texts.get(document)
  if (known !== undefined) return known
  const text = 'definitions' in document ? printed(document) : document.toString()
  texts.set(document, text)
  return text
}

/** The name of a document’s first operation. */
export const nameOf = (document: object | string): string | undefined =>
  /(?:^|[\s}])(?:query|mutation|subscription)\s+(\w+)/.exec(textOf(document))?.[1]

/** Identifies a document with its variables, in any order, equally on a server and on its page. */
export const keyOf = (document: object | string, variables: unknown): string =>
  `${hashOf(document) || textOf(document)} ${JSON.stringify(variables, sorted)}`

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
