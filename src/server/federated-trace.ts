import { mapSchema, MapperKind } from '@graphql-tools/utils'
import { defaultFieldResolver, execute } from 'graphql'
import type {
  ExecutionArgs,
  ExecutionResult,
  GraphQLError,
  GraphQLFieldResolver,
  GraphQLResolveInfo,
  GraphQLSchema,
} from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import { refusedBy, withinBytes } from '../graph/execution/answer.ts'
import { OverLimitError, valuesOfPromise } from '../graph/execution/budget.ts'
import { checkLeast } from '../graph/execution/calls.ts'
import type { ExecutionContext } from '../graph/execution/context.ts'
import { compiledQuery } from '../graph/execution/document.ts'
import { encoded, message, text, whole } from './protobuf.ts'
import type { Bytes } from './protobuf.ts'

type Path = GraphQLResolveInfo['path']

/**
 * A field of an answer, an element of a list, or the answer itself. Times are milliseconds since the start of
 * the process.
 */
interface Node {
  readonly key: string | number | undefined
  readonly children: Node[]
  readonly errors: GraphQLError[]
  field?: { readonly name: string; readonly parent: string; readonly type: string }
  from?: number
  to?: number
}

/** Values that take as much memory as a field with its times, and its bytes in the trace beside its name. */
const [valuesOfNode, bytesOfNode] = [10, 60]

/** Characters of Base64 for a byte. */
const charactersOfByte = 4 / 3

/** The times at which the fields of one answer were resolved. */
class Tree {
  readonly root: Node = { key: undefined, children: [], errors: [] }
  readonly moment = Date.now()
  readonly from = performance.now()
  /** Rejects when the query exceeds its budget. */
  readonly over: Promise<never>
  readonly #nodes = new Map<Path, Node>()
  #end = (_error: unknown) => {}

  constructor() {
    this.over = new Promise((_resolve, reject) => (this.#end = reject))
    this.over.catch(() => {}) // it may not be waited for
  }

  /** Counts a field with the items that it has for its arguments. Returns false if it exceeds the budget. */
  count(
    { budget, clientRequest }: Partial<ExecutionContext>,
    { path }: GraphQLResolveInfo,
    args: object,
  ): boolean {
    try {
      const items = Object.values(args).reduce<number>((sum, value) => sum + lengthOf(value), 0)
      budget?.countValues(valuesOfNode + items * valuesOfPromise)
      // Of the trace alone: the data is measured when it is complete.
      budget?.countBytes(Math.ceil((String(path.key).length + bytesOfNode) * charactersOfByte))
      return true
    } catch (error) {
      clientRequest?.allowance.end()
      this.#end(error)
      return false
    }
  }

  /** Drops the fields: a refused query has none. */
  clear(): void {
    this.root.children.length = 0
  }

  /** Notes the start of a field. The returned function notes its end. */
  begin({ path, fieldName, parentType, returnType }: GraphQLResolveInfo): () => void {
    const node = this.#nodeAt(path)
    node.field = { name: fieldName, parent: parentType.name, type: String(returnType) }
    node.from = performance.now()
    return () => (node.to = performance.now())
  }

  /** Notes an error at its path, or at the nearest node that was resolved. */
  blame(error: GraphQLError): void {
    let node = this.root
    for (const key of error.path ?? []) node = node.children.find((child) => child.key === key) ?? node
    node.errors.push(error)
  }

  /** List elements have no resolver, so their nodes are created by the first field within. */
  #nodeAt(path: Path): Node {
    const known = this.#nodes.get(path)
    if (known) return known
    const node: Node = { key: path.key, children: [], errors: [] }
    this.#nodes.set(path, node)
    const parent = path.prev ? this.#nodeAt(path.prev) : this.root
    parent.children.push(node)
    return node
  }
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

/** Traces, by the context of their query. */
const trees = new WeakMap<object, Tree>()

type Resolve = GraphQLFieldResolver<unknown, Partial<ExecutionContext>, Record<string, unknown>>

function timed(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    context.budget?.checkLists(args)
    const tree = trees.get(context)
    // GraphQL's own executor cannot be ended. The answer does not wait for these fields.
    if (tree && !tree.count(context, info, args)) return new Promise(() => {})
    const end = tree?.begin(info)
    const value: unknown = resolve(source, args, context, info)
    if (value instanceof Promise && end) void value.then(end, end)
    else end?.()
    return value
  }
}

const copies = new WeakMap<GraphQLSchema, GraphQLSchema>()

/** A copy of the schema with timed resolvers, so that queries without a trace run at full speed. */
function timedSchema(schema: GraphQLSchema): GraphQLSchema {
  const known = copies.get(schema)
  if (known) return known
  const copy = mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field) => ({
      ...field,
      resolve: timed(field.resolve ?? defaultFieldResolver),
    }),
  })
  copies.set(schema, copy)
  return copy
}

/** Whether a document asks for the schema, whose fields have no times and are not counted here. */
const introspects = ({ document }: ExecutionArgs): boolean =>
  /__(schema|type)\b/.test(document.loc?.source.body ?? '__schema')

/** Executes a query with timed resolvers. Rejects with an OverLimitError if it is refused before it is executed. */
async function executeIfCheap(args: ExecutionArgs, timedCopy: GraphQLSchema): Promise<ExecutionResult> {
  const { schema, document, operationName, variableValues, contextValue: context } = args
  const query = compiledQuery(schema, document, operationName)
  const variables = query?.variables(variableValues ?? {}).coerced
  const { budget } = context as Partial<ExecutionContext> // a schema without a bill has none
  if (budget && query && variables) checkLeast({ schema, query, variables, context }, budget)
  return execute({ ...args, schema: timedCopy })
}

/** Whether the query has exceeded its budget, which is an error without a path. */
const isRefusal = ({ errors = [] }: ExecutionResult) =>
  errors.some(({ path, originalError }) => !path && originalError instanceof OverLimitError)

/** Nanoseconds, the unit of traces. */
const nanos = (ms: number) => Math.max(0, Math.round(ms * 1e6))

/** The field numbers of Apollo's reports.proto: Trace, Trace.Node, Trace.Error and Trace.Location. */
function traceOf({ root, moment, from }: Tree): string {
  const took = performance.now() - from
  return encoded([
    message(4, timestamp(moment)),
    message(3, timestamp(moment + took)),
    whole(11, nanos(took)),
    message(14, fieldsOf(root, from)),
  ])
}

const timestamp = (moment: number): Bytes[] => [
  whole(1, Math.floor(moment / 1000)),
  whole(2, Math.floor((moment % 1000) * 1e6)),
]

function fieldsOf({ key, field, from = 0, to = from, children, errors }: Node, origin: number): Bytes[] {
  return [
    ...(typeof key === 'string' ? [text(1, key)] : []),
    ...(typeof key === 'number' ? [whole(2, key)] : []),
    ...(field && field.name !== key ? [text(14, field.name)] : []),
    ...(field ? [text(3, field.type), text(13, field.parent)] : []),
    ...(field ? [whole(8, nanos(from - origin)), whole(9, nanos(to - origin))] : []),
    ...errors.map((error) => message(11, errorFields(error))),
    ...children.map((child) => message(12, fieldsOf(child, origin))),
  ]
}

const errorFields = (error: GraphQLError): Bytes[] => [
  text(1, error.message),
  ...(error.locations ?? []).map(({ line, column }) => message(2, [whole(1, line), whole(2, column)])),
  text(4, JSON.stringify(error)),
]

/**
 * Adds the time of each field to answers for a gateway that asks for it: Apollo's federated tracing, version
 * 1.
 */
export function useFederatedTrace(): Plugin<YogaInitialContext & ExecutionContext> {
  return {
    onExecute({ args, context, setExecuteFn }) {
      if (args.contextValue.request.headers.get('apollo-federation-include-trace') !== 'ftv1') return
      if (introspects(args)) return
      const schema = timedSchema(args.schema)
      const tree = new Tree()
      trees.set(context, tree)
      const { budget } = args.contextValue
      setExecuteFn((asked: ExecutionArgs) =>
        Promise.race([executeIfCheap(asked, schema), tree.over])
          .then((result) => withinBytes(result, budget))
          .catch((error: unknown) => refusedBy(error).result)
          .then((result) => {
            if (isRefusal(result)) tree.clear()
            return result
          }),
      )
    },
    // Errors are masked here.
    onExecutionResult({ context, result, setResult }) {
      const tree = trees.get(context)
      if (!tree || !result || Symbol.asyncIterator in result) return
      for (const error of result.errors ?? []) tree.blame(error)
      setResult({ ...result, extensions: { ...result.extensions, ftv1: traceOf(tree) } })
    },
  }
}
