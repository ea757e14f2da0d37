import { mapSchema, MapperKind } from '@graphql-tools/utils'
import { defaultFieldResolver, execute } from 'graphql'
import type {
  ExecutionArgs,
  GraphQLError,
  GraphQLFieldResolver,
  GraphQLResolveInfo,
  GraphQLSchema,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { ServerContext } from './app.ts'
import { encoded, message, text, whole } from './protobuf.ts'
import type { Bytes } from './protobuf.ts'

type Path = GraphQLResolveInfo['path']

/** A field of an answer, an element of a list, or the answer itself. Times are milliseconds of the process. */
interface Node {
  readonly key: string | number | undefined
  readonly children: Node[]
  readonly errors: GraphQLError[]
  field?: { readonly name: string; readonly parent: string; readonly type: string }
  from?: number
  to?: number
}

/** When each field of one answer was resolved. */
class Tree {
  readonly root: Node = { key: undefined, children: [], errors: [] }
  readonly moment = Date.now()
  readonly from = performance.now()
  readonly #nodes = new Map<Path, Node>()

  /** Notes that a field begins to be resolved; the function that it returns, that it has been. */
  begin({ path, fieldName, parentType, returnType }: GraphQLResolveInfo): () => void {
    const node = this.#nodeAt(path)
    node.field = { name: fieldName, parent: parentType.name, type: String(returnType) }
    node.from = performance.now()
    return () => (node.to = performance.now())
  }

  /** Notes an error where it happened, or as near to it as anything was resolved. */
  blame(error: GraphQLError): void {
    let node = this.root
    for (const key of error.path ?? []) node = node.children.find((child) => child.key === key) ?? node
    node.errors.push(error)
  }

  /** Elements of a list have no resolver, so their nodes come with the first field within. */
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

/** By the context of its query. */
const trees = new WeakMap<object, Tree>()

function timed(resolve: GraphQLFieldResolver<unknown, object>): GraphQLFieldResolver<unknown, object> {
  return (source, args, context, info) => {
    const end = trees.get(context)?.begin(info)
    const value: unknown = resolve(source, args, context, info)
    if (value instanceof Promise && end) void value.then(end, end)
    else end?.()
    return value
  }
}

const copies = new WeakMap<GraphQLSchema, GraphQLSchema>()

/** The same schema with its resolvers timed: a copy, so that whoever asks for no trace pays nothing for it. */
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

/** Nanoseconds, as traces count. */
const nanos = (ms: number) => Math.max(0, Math.round(ms * 1e6))

/** The numbers of the fields are those of Apollo's reports.proto: Trace, Trace.Node, Trace.Error and Trace.Location. */
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

/** Answers a gateway that asks for it with when each field was resolved: Apollo's federated tracing, version 1. */
export function useFederatedTrace(): Plugin<ServerContext> {
  return {
    onExecute({ args, context, setExecuteFn }) {
      if (args.contextValue.request.headers.get('apollo-federation-include-trace') !== 'ftv1') return
      const schema = timedSchema(args.schema)
      trees.set(context, new Tree())
      setExecuteFn((asked: ExecutionArgs) => execute({ ...asked, schema }))
    },
    // Here what an error may tell is decided.
    onExecutionResult({ context, result, setResult }) {
      const tree = trees.get(context)
      if (!tree || !result || Symbol.asyncIterator in result) return
      for (const error of result.errors ?? []) tree.blame(error)
      setResult({ ...result, extensions: { ...result.extensions, ftv1: traceOf(tree) } })
    },
  }
}
