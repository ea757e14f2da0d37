import { getHeapStatistics } from 'node:v8'
import { getOperationAST, GraphQLError, specifiedRules, validate } from 'graphql'
import type { DocumentNode, GraphQLSchema, Token } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import { depthRule, parseWithinLimits } from './limits.ts'
import { noOperation, unprocessable } from './operation-name.ts'

/** Maximum bytes of documents that are kept: a sixteenth of the heap, at most 100 MB. */
const most = Math.floor(Math.min(100e6, getHeapStatistics().heap_size_limit / 16))

/** Bytes of an error: its message is short, its stack is not. */
const bytesPerError = 4_000

/** What was found of a text: its document, unless it is none, and why it is refused, if it is. */
interface Checked {
  readonly document: DocumentNode | null
  readonly errors: readonly GraphQLError[]
}

const bytesOf = ({ document, errors }: Checked, text: string): number =>
  (document ? bytesOfDocument(document) : 2 * text.length) + bytesPerError * errors.length

/** Documents by their text, each parsed and validated once, on whatever way it came. */
export class CheckedDocuments {
  readonly #schema: GraphQLSchema
  readonly #kept: LRUCache<string, Checked>
  readonly #errors = new WeakMap<DocumentNode, readonly GraphQLError[]>()

  constructor(schema: GraphQLSchema, maxSize = most) {
    this.#schema = schema
    this.#kept = new LRUCache({ maxSize, sizeCalculation: bytesOf })
  }

  /** The document of a text if it may be executed; undefined if it is refused. */
  valid(text: string): DocumentNode | undefined {
    const { document, errors } = this.#check(text)
    return errors.length === 0 ? (document ?? undefined) : undefined
  }

  /** The document of a text, valid or not. Throws the error of a text that is none. */
  parse(text: string): DocumentNode {
    const { document, errors } = this.#check(text)
    if (document) return document
    throw errors[0] ?? new GraphQLError('The text is no document.')
  }

  /** Why a document that was parsed here is refused; nothing if it is valid. */
  errorsOf(document: DocumentNode): readonly GraphQLError[] {
    return this.#errors.get(document) ?? this.#faultsOf(document)
  }

  /** How many bytes are kept. */
  get bytes(): number {
    return this.#kept.calculatedSize
  }

  #check(text: string): Checked {
    const before = this.#kept.get(text)
    if (before) return before
    const checked = this.#checkAnew(text)
    // Until a stack is read, V8 keeps its frames: the parser with all its tokens, which take ten times the text.
    for (const { stack } of checked.errors) void stack
    this.#kept.set(text, checked)
    return checked
  }

  #checkAnew(text: string): Checked {
    try {
      const document = parseWithinLimits(text)
      const errors = this.#faultsOf(document)
      this.#errors.set(document, errors)
      return { document, errors }
    } catch (error) {
      if (error instanceof GraphQLError) return { document: null, errors: [error] }
      throw error
    }
  }

  /** They have their status here, before Yoga gives them an older one. */
  #faultsOf(document: DocumentNode): readonly GraphQLError[] {
    const errors = validate(this.#schema, document, [...specifiedRules, depthRule])
    for (const { extensions } of errors) extensions['http'] ??= unprocessable
    return errors
  }
}

/** What Yoga parses and validates comes from the same documents. So does the error of an operation that they lack. */
export const useCheckedDocuments = (documents: CheckedDocuments): Plugin<YogaInitialContext> => ({
  onParse({ setParseFn }) {
    setParseFn((text: string) => documents.parse(text))
    return ({ result, context: { params } }) => {
      const isParsed = result !== null && !(result instanceof Error)
      if (isParsed && !getOperationAST(result, params?.operationName)) throw noOperation()
    }
  },
  onValidate({ params, setResult }) {
    setResult([...documents.errorsOf(params.documentAST)])
  },
})

/** Measured: a token of a parsed document, with its share of nodes and locations, takes 270 to 380 bytes. */
const bytesPerToken = 400

/** Bytes of a parsed document with its text. */
export const bytesOfDocument = (document: DocumentNode): number =>
  2 * (document.loc?.source.body.length ?? 0) + bytesPerToken * tokensOf(document)

function tokensOf({ loc }: DocumentNode): number {
  let count = 0
  for (let token: Token | null | undefined = loc?.startToken; token; token = token.next) count += 1
  return count
}
