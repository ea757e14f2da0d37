import type { GraphQLError } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import type { FieldPlan } from '../graph/execution/compile.ts'
import type { ExecutionContext } from '../graph/execution/context.ts'
import { FieldTimes } from '../graph/execution/field-times.ts'
import { ObjectRef } from '../graph/execution/group.ts'
import type { Group } from '../graph/execution/group.ts'
import { encoded, message, text, whole } from './protobuf.ts'
import type { Bytes } from './protobuf.ts'

/** Nodes of a trace: fields, and items of lists. A larger answer has a trace without its fields. */
const mostNodes = 10_000

/**
 * Adds the time of each field to answers for a gateway that asks for it: Apollo's federated tracing, version
 * 1.
 */
export function useFederatedTrace(): Plugin<YogaInitialContext & ExecutionContext> {
  const started = new WeakMap<object, Start>()
  return {
    onExecute({ args: { contextValue: context } }) {
      if (context.request.headers.get('apollo-federation-include-trace') !== 'ftv1') return
      const times = (context.times = new FieldTimes())
      started.set(context, { moment: Date.now(), from: performance.now(), times })
    },
    // Errors are masked here.
    onExecutionResult({ context, result, setResult }) {
      const start = started.get(context)
      if (!start || !result || Symbol.asyncIterator in result) return
      const ftv1 = new Trace(start, result.errors ?? []).text
      setResult({ ...result, extensions: { ...result.extensions, ftv1 } })
    },
  }
}

interface Start {
  /** Milliseconds since 1970. */
  readonly moment: number
  /** Milliseconds since the start of the process. */
  readonly from: number
  readonly times: FieldTimes
}

type Path = readonly (string | number)[]

/** One answer's trace. Its numbers are those of Apollo's reports.proto: Trace, Trace.Node, Trace.Error and Trace.Location. */
class Trace {
  readonly #start: Start
  /** The group whose one object is the answer; null if the trace has no fields. */
  readonly #root: Group | null
  /** Errors by the path of the last node on their way that the answer has. */
  readonly #errors = new Map<string, GraphQLError[]>()

  constructor(start: Start, errors: readonly GraphQLError[]) {
    this.#start = start
    const { root } = start.times
    this.#root = root && nodesIn(root) <= mostNodes ? root : null
    for (const error of errors) {
      const { path = [] } = error
      const place = String(path.slice(0, this.#root ? depthOf(this.#root, path) : 0))
      this.#errors.set(place, [...(this.#errors.get(place) ?? []), error])
    }
  }

  /** As Base64. */
  get text(): string {
    const { moment, from } = this.#start
    const root = this.#root
    const took = performance.now() - from
    return encoded([
      message(4, timestamp(moment)),
      message(3, timestamp(moment + took)),
      whole(11, nanos(took)),
      message(14, [...this.#errorsAt([]), ...(root ? this.#fieldsOf(root, 0, []) : [])]),
    ])
  }

  #fieldsOf(group: Group, index: number, path: Path): Bytes[] {
    return group.plan.fields.map((field) => {
      const place = [...path, field.responseName]
      const cell: unknown = group.cells[field.index]?.[index]
      return message(12, [
        ...this.#headOf(group, field),
        ...this.#errorsAt(place),
        ...(Array.isArray(cell)
          ? cell.flatMap((item, nth) => this.#itemOf(group, field, item, [...place, nth]))
          : this.#objectOf(group, field, cell, place)),
      ])
    })
  }

  /** An item of a list has no time of its own. */
  #itemOf(group: Group, field: FieldPlan, cell: unknown, path: Path): Bytes[] {
    const [below, errors] = [this.#objectOf(group, field, cell, path), this.#errorsAt(path)]
    if (below.length + errors.length === 0) return []
    return [message(12, [whole(2, Number(path.at(-1))), ...errors, ...below])]
  }

  #objectOf(group: Group, field: FieldPlan, cell: unknown, path: Path): Bytes[] {
    const [child, index] = objectIn(group, field, cell)
    return child ? this.#fieldsOf(child, index, path) : []
  }

  #headOf(group: Group, field: FieldPlan): Bytes[] {
    const { responseName, definition, parentType } = field
    const { from = this.#start.from, to = from } = this.#start.times.of(group, field) ?? {}
    return [
      text(1, responseName),
      ...(definition.name === responseName ? [] : [text(14, definition.name)]),
      text(3, String(definition.type)),
      text(13, parentType.name),
      whole(8, nanos(from - this.#start.from)),
      whole(9, nanos(to - this.#start.from)),
    ]
  }

  #errorsAt(path: Path): Bytes[] {
    if (this.#errors.size === 0) return []
    return (this.#errors.get(String(path)) ?? []).map((error) => message(11, errorFields(error)))
  }
}

/** The object in a cell: its group, and its index there. */
function objectIn(group: Group, field: FieldPlan, cell: unknown): readonly [Group | undefined, number] {
  if (cell instanceof ObjectRef) return [cell.group, cell.index]
  return [
    typeof cell === 'number' && !field.leaf ? group.children[field.index]?.[0] : undefined,
    Number(cell),
  ]
}

/** Fields of an answer, each as often as it is printed, and about as many items of lists. */
const nodesIn = (group: Group): number =>
  group.timesFrom(0) * (1 + group.plan.fields.length) +
  group.children.flat().reduce((sum, child) => sum + nodesIn(child), 0)

/** How much of a path an answer has. */
function depthOf(root: Group, path: Path): number {
  let [group, index]: readonly [Group | undefined, number] = [root, 0]
  let depth = 0
  while (group && depth < path.length) {
    const field: FieldPlan | undefined = group.plan.fields.find((one) => one.responseName === path[depth])
    if (!field) break
    depth += 1
    let cell: unknown = group.cells[field.index]?.[index]
    if (Array.isArray(cell) && typeof path[depth] === 'number') {
      cell = cell[Number(path[depth])]
      depth += 1
    }
    ;[group, index] = objectIn(group, field, cell)
  }
  return depth
}

const errorFields = (error: GraphQLError): Bytes[] => [
  text(1, error.message),
  ...(error.locations ?? []).map(({ line, column }) => message(2, [whole(1, line), whole(2, column)])),
  text(4, JSON.stringify(error)),
]

/** Nanoseconds, the unit of traces. */
const nanos = (ms: number) => Math.max(0, Math.round(ms * 1e6))

const timestamp = (moment: number): Bytes[] => [
  whole(1, Math.floor(moment / 1000)),
  whole(2, Math.floor((moment % 1000) * 1e6)),
]
