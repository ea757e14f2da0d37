import { getNamedType, getNullableType, isListType, isNonNullType, isObjectType } from 'graphql'
import type { FieldNode, GraphQLNamedType, GraphQLObjectType, SelectionSetNode } from 'graphql'
import { valuesOfPlan } from './budget.ts'
import type { Compiler, FieldPlan, ObjectPlan } from './compile.ts'

/** What is known of a selection before it is executed. */
interface Size {
  /** Fields of its plan, with those below lists. */
  readonly plan: number
  /** Values that one object prints: with single objects, without items of lists. */
  readonly printed: number
}

const nothing: Size = { plan: 0, printed: 0 }

/** A field with an item for each item of an argument. */
interface ListField {
  readonly field: FieldPlan
  /** The name of the argument. */
  readonly argument: string
  readonly valuesOfItem: number
}

/**
 * The values that an operation has at least, if nothing that it asks for is null or empty. A fragment is measured once
 * for a type, however often it is used: the fields of a short document can have more levels of fragments than
 * anything can execute.
 */
export class LeastValues {
  readonly #compiler: Compiler
  readonly #known = new Map<SelectionSetNode, Map<GraphQLNamedType, Size>>()
  readonly #values: number
  readonly #lists: readonly ListField[]

  constructor(compiler: Compiler, { fields }: ObjectPlan) {
    this.#compiler = compiler
    const lists: ListField[] = []
    let values = 0
    for (const field of fields) {
      const { plan, printed } = this.#below(field.namedType, field.nodes)
      const argument = listArgumentOf(field)
      if (argument !== undefined) lists.push({ field, argument, valuesOfItem: 1 + printed })
      values += 1 + (1 + plan) * valuesOfPlan + (field.shape.isList ? 0 : printed)
    }
    this.#known.clear()
    this.#values = values
    this.#lists = lists
  }

  /** With the arguments of a request. Lists that are too long are left to the error of their field. */
  of(argumentsOf: (field: FieldPlan) => Readonly<Record<string, unknown>>): number {
    let values = this.#values
    for (const { field, argument, valuesOfItem } of this.#lists) {
      const items = argumentsOf(field)[argument]
      if (Array.isArray(items) && items.length > 0) values += items.length * valuesOfItem
    }
    return values
  }

  /** Merged selections have at least the fields of each. */
  #below(named: GraphQLNamedType, nodes: readonly FieldNode[]): Size {
    let size = nothing
    if (!isObjectType(named)) return size // which type an abstract one has is not known
    for (const { selectionSet } of nodes)
      if (selectionSet)
        size = larger(size, this.#size(this.#compiler.withoutSpread(selectionSet, named), named))
    return size
  }

  #size(selectionSet: SelectionSetNode, type: GraphQLObjectType): Size {
    let byType = this.#known.get(selectionSet)
    if (!byType) this.#known.set(selectionSet, (byType = new Map()))
    let size = byType.get(type)
    if (!size) byType.set(type, (size = this.#measured(selectionSet, type)))
    return size
  }

  #measured(selectionSet: SelectionSetNode, type: GraphQLObjectType): Size {
    let [plan, printed] = [0, 0]
    for (const nodes of this.#compiler.selected(type, [selectionSet]).values()) {
      const definition = nodes[0] && this.#compiler.definition(type, nodes[0].name.value)
      if (!definition) continue
      const below = this.#below(getNamedType(definition.type), nodes)
      plan += 1 + below.plan
      printed += 1 + (isListType(getNullableType(definition.type)) ? 0 : below.printed)
    }
    return { plan, printed }
  }
}

const larger = (one: Size, other: Size): Size => ({
  plan: Math.max(one.plan, other.plan),
  printed: Math.max(one.printed, other.printed),
})

/** The argument that has an item for each of the field's, such as `teams(ids:)`. */
function listArgumentOf({ shape, definition }: FieldPlan): string | undefined {
  if (!shape.isList) return undefined
  return definition.args.find(({ type }) => isNonNullType(type) && isListType(type.ofType))?.name
}
