import { isObjectType, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import type { DocumentNode, FieldNode, GraphQLArgument, GraphQLSchema, SelectionSetNode } from 'graphql'

/** What a variable is the value of. */
export interface Use {
  readonly argument: GraphQLArgument
  /** The type in a global id; null if the argument takes the raw id. */
  readonly node: string | null
}

/** The first use of each variable of a document as the argument of a field. */
export function usesOf(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, Use> {
  const uses = new Map<string, Use>()
  const info = new TypeInfo(schema)
  const Field = (field: FieldNode) => {
    const { name: fieldName, args = [] } = info.getFieldDef() ?? {}
    const isNode = fieldName === 'node' || fieldName === 'nodes'
    const node = isNode ? (objectIn(schema, document, field.selectionSet) ?? 'Team') : null
    for (const { name, value } of field.arguments ?? []) {
      const argument = args.find((one) => one.name === name.value)
      const Variable = (variable: { readonly name: { readonly value: string } }) => {
        if (argument && !uses.has(variable.name.value)) uses.set(variable.name.value, { argument, node })
      }
      visit(value, { Variable })
    }
  }
  visit(document, visitWithTypeInfo(info, { Field }))
  return uses
}

/** The first object type that a selection has a condition for. */
function objectIn(
  schema: GraphQLSchema,
  document: DocumentNode,
  selectionSet: SelectionSetNode | undefined,
): string | undefined {
  for (const selection of selectionSet?.selections ?? []) {
    if (selection.kind === Kind.FIELD) continue
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragmentIn(document, selection.name.value)
    const name = fragment?.typeCondition?.name.value
    if (name !== undefined && isObjectType(schema.getType(name))) return name
    const inner = objectIn(schema, document, fragment?.selectionSet)
    if (inner !== undefined) return inner
  }
  return undefined
}

function fragmentIn({ definitions }: DocumentNode, name: string) {
  for (const one of definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name) return one
  return undefined
}
