import {
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isNonNullType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql'
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLLeafType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql'
import type { Relation } from '../many-answers.ts'
import { countFields } from '../kept-plans.ts'
import { traitsOf } from '../traits.ts'
import type { ShownColumn } from '../traits.ts'
import { printIdOf } from './print-ids.ts'

/** The response fields of an object of one type, in the order of the response. */
export interface ObjectPlan {
  /** Identifies how the leading columns are printed. */
  readonly printId: number
  readonly type: GraphQLObjectType
  readonly fields: readonly FieldPlan[]
  /** The object before it is filled: every field, in order, null. */
  readonly template: Readonly<Record<string, null>>
  /** Whether the objects are parts of the schema. */
  readonly isIntrospection: boolean
  /** Whether any field is a column. The objects are then rows. */
  readonly hasColumns: boolean
  /** The number of columns before any other field: they are printed alike as long as the row is the same. */
  readonly leading: number
}

/** Where a field's value may be null: `[Game!]` is a nullable list of non-null items. */
export interface Shape {
  readonly isList: boolean
  readonly isNullable: boolean
  readonly isItemNullable: boolean
}

/** One field of the response, merged from all its occurrences in the document. */
export interface FieldPlan {
  readonly responseName: string
  /** Its index among the fields of its object. */
  readonly index: number
  /** The JSON before its value: a brace or a comma, and its name. */
  readonly head: Uint8Array
  readonly parentType: GraphQLObjectType
  readonly definition: GraphQLField<unknown, unknown>
  readonly nodes: readonly FieldNode[]
  readonly shape: Shape
  readonly namedType: GraphQLNamedType
  /** The type that serializes the value; null if the field has a selection. */
  readonly leaf: GraphQLLeafType | null
  /** Resolves the field for all parents at once; null if its resolver is called for each. */
  readonly relation: Relation<unknown, unknown, unknown> | null
  readonly column: ShownColumn | null
  /** The arguments if they are the same in every request; null if they use variables. */
  readonly constantArguments: Readonly<Record<string, unknown>> | null
  /** Plans of the field's own selection, by object type. */
  readonly children: Map<GraphQLObjectType, ObjectPlan>
}

export type Fragments = Record<string, FragmentDefinitionNode>

/** The values of the variables that `@skip` and `@include` use. */
export type Conditions = Readonly<Record<string, boolean>>

/** Compiles the selections of one operation for one set of conditions. */
export class Compiler {
  readonly #schema: GraphQLSchema
  readonly #fragments: Fragments
  readonly #conditions: Conditions

  constructor(schema: GraphQLSchema, fragments: Fragments, conditions: Conditions) {
    this.#schema = schema
    this.#fragments = fragments
    this.#conditions = conditions
  }

  root(type: GraphQLObjectType, selectionSet: SelectionSetNode): ObjectPlan {
    return this.#object(type, [selectionSet])
  }

  /** The plan of a field's selection, for objects of that type. */
  child(field: FieldPlan, type: GraphQLObjectType): ObjectPlan {
    let plan = field.children.get(type)
    if (!plan) {
      plan = this.#object(
        type,
        field.nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
      )
      field.children.set(type, plan)
    }
    return plan
  }

  #object(type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[]): ObjectPlan {
    const fields: FieldPlan[] = []
    for (const [responseName, those] of this.selected(type, selectionSets)) {
      const field = this.#field(type, responseName, those, fields.length)
      if (field) fields.push(field)
    }
    countFields(fields.length)
    const template = Object.fromEntries(fields.map(({ responseName }) => [responseName, null]))
    const hasColumns = fields.some(({ column }) => column !== null)
    const firstOther = fields.findIndex(({ column }) => column === null)
    const leading = firstOther === -1 ? fields.length : firstOther
    const printId = printIdOf(type.name, fields.slice(0, leading))
    const isIntrospection = isIntrospectionType(type)
    return { printId, type, fields, template, isIntrospection, hasColumns, leading }
  }

  /** The nodes of each response name that is selected on objects of a type. */
  selected(type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[]): Map<string, FieldNode[]> {
    const nodes = new Map<string, FieldNode[]>()
    const spread = new Set<string>()
    for (const { selections } of selectionSets) this.#collect(type, selections, nodes, spread)
    return nodes
  }

  /** The selection of a fragment, if that is all that is selected; else the selection itself. */
  withoutSpread(selectionSet: SelectionSetNode, type: GraphQLObjectType): SelectionSetNode {
    const [only, ...others] = selectionSet.selections
    if (only?.kind !== 'FragmentSpread' || others.length > 0 || only.directives?.length) return selectionSet
    const fragment = this.#fragments[only.name.value]
    if (fragment?.typeCondition.name.value !== type.name) return selectionSet
    return this.withoutSpread(fragment.selectionSet, type)
  }

  #collect(
    type: GraphQLObjectType,
    selections: readonly SelectionNode[],
    nodes: Map<string, FieldNode[]>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (!this.#isIncluded(selection)) continue
      if (selection.kind === 'Field') {
        const name = selection.alias?.value ?? selection.name.value
        const before = nodes.get(name)
        if (before) before.push(selection)
        else nodes.set(name, [selection])
        continue
      }
      if (selection.kind === 'FragmentSpread') {
        if (spread.has(selection.name.value)) continue
        spread.add(selection.name.value)
      }
      const part = selection.kind === 'InlineFragment' ? selection : this.#fragments[selection.name.value]
      if (part && this.#applies(type, part.typeCondition?.name.value))
        this.#collect(type, part.selectionSet.selections, nodes, spread)
    }
  }

  #applies(type: GraphQLObjectType, condition: string | undefined): boolean {
    if (condition === undefined || condition === type.name) return true
    const named = this.#schema.getType(condition)
    return isAbstractType(named) && this.#schema.isSubType(named, type)
  }

  #isIncluded({ directives = [] }: SelectionNode): boolean {
    return directives.every((directive) => {
      const { value: name } = directive.name
      if (name !== GraphQLSkipDirective.name && name !== GraphQLIncludeDirective.name) return true
      const given = directive.arguments?.find((argument) => argument.name.value === 'if')?.value
      const condition =
        given?.kind === 'Variable'
          ? (this.#conditions[given.name.value] ?? false)
          : given?.kind === 'BooleanValue' && given.value
      return name === GraphQLSkipDirective.name ? !condition : condition
    })
  }

  #field(
    type: GraphQLObjectType,
    responseName: string,
    nodes: readonly FieldNode[],
    index: number,
  ): FieldPlan | null {
    const [node] = nodes
    const definition = node && this.definition(type, node.name.value)
    if (!definition) return null
    const namedType = getNamedType(definition.type)
    const traits = traitsOf(definition)
    return {
      responseName,
      index,
      head: Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(responseName)}:`),
      parentType: type,
      definition,
      nodes,
      shape: shapeOf(definition.type),
      namedType,
      leaf: isLeafType(namedType) ? namedType : null,
      relation: traits.relation,
      column: traits.column,
      constantArguments: constantArguments(definition, node),
      children: new Map(),
    }
  }

  definition(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
    return metaFields.get(name) ?? type.getFields()[name]
  }
}

/** The fields of introspection. Validation has seen that only the root has the first two. */
const metaFields = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].map((field) => [field.name, field] as const),
)

function shapeOf(type: GraphQLOutputType): Shape {
  const isNullable = !isNonNullType(type)
  const outer = isNonNullType(type) ? type.ofType : type
  if (!isListType(outer)) return { isList: false, isNullable, isItemNullable: true }
  const item: GraphQLOutputType = outer.ofType
  const bare = isNonNullType(item) ? item.ofType : item
  if (isListType(bare)) throw new Error('No field of the graph is a list of lists.')
  return { isList: true, isNullable, isItemNullable: !isNonNullType(item) }
}

/** The arguments of a field that uses no variables. */
function constantArguments(definition: GraphQLField<unknown, unknown>, node: FieldNode) {
  if (node.arguments?.some(({ value }) => hasVariable(value))) return null
  try {
    return getArgumentValues(definition, node)
  } catch {
    return null // fails again where the field is executed, which reports it
  }
}

function hasVariable(value: ValueNode): boolean {
  if (value.kind === 'Variable') return true
  if (value.kind === 'ListValue') return value.values.some(hasVariable)
  return value.kind === 'ObjectValue' && value.fields.some((field) => hasVariable(field.value))
}
