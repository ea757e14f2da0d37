import { getArgumentValues, isObjectType } from 'graphql'
import type { FieldNode, GraphQLObjectType, GraphQLResolveInfo } from 'graphql'
import type { Context } from './builder.ts'
import type { Handle } from './handle.ts'
import { includedFields } from './selection.ts'
import type { Needs } from './selection.ts'
import { typeNameOf } from './types.ts'

/**
 * Asks now for what the links of a row will ask for once the row itself has been read, where they need nothing of it: they then go
 * out beside its read and not after it. Whatever fails is told by the link itself.
 */
export function anticipate(row: Handle, context: Context, info: GraphQLResolveInfo): void {
  const type = info.schema.getType(typeNameOf(row, context))
  if (!isObjectType(type)) return
  for (const node of includedFields(info, type)) ask(row, type, node, context, info)
}

function ask(
  row: Handle,
  type: GraphQLObjectType,
  node: FieldNode,
  context: Context,
  info: GraphQLResolveInfo,
): void {
  const field = type.getFields()[node.name.value]
  if (!field?.resolve || !isApart(field.extensions['needs'])) return
  const { key } = info.path
  const path = { prev: { ...info.path, key }, key: node.name.value, typename: type.name }
  const own = { fieldName: field.name, fieldNodes: [node], returnType: field.type, parentType: type, path }
  try {
    const values = getArgumentValues(field, node, info.variableValues)
    void Promise.resolve(field.resolve(row, values, context, { ...info, ...own })).catch(() => {})
  } catch {
    // The link says so itself, in its place.
  }
}

/** Whether a field is a link that needs neither a column nor a facet of the row that it stands on. */
function isApart(needs: unknown): boolean {
  // The extension is set by nobody but the fields of this graph.
  const { columns = [], facets = [], into } = (needs ?? {}) as Needs
  return typeof into === 'object' && columns.length === 0 && facets.length === 0
}
