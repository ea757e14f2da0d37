import { getArgumentValues, getNamedType, isObjectType } from 'graphql'
import type { FieldNode, GraphQLField, GraphQLObjectType, GraphQLResolveInfo } from 'graphql'
import type { Context } from './context.ts'
import type { Handle } from './handle.ts'
import { includedFields, selectionOf } from './selection.ts'
import { traitsOf } from './traits.ts'
import type { Needs } from './needs.ts'
import type { Selection } from '../plan/selection.ts'
import { typeNameOf } from './type-names.ts'

/**
 * Loads the links of a row in parallel with the row itself, if they need only its key. Failures are reported
 * later, by the link itself.
 */
export function prefetchLinks(row: Handle, context: Context, info: GraphQLResolveInfo): void {
  const type = info.schema.getType(typeNameOf(row, context))
  if (isObjectType(type)) askAll(row, type, selectionOf(info, type), context, info)
}

function askAll(
  row: Handle,
  type: GraphQLObjectType,
  selection: Selection,
  context: Context,
  info: GraphQLResolveInfo,
): void {
  for (const node of includedFields(info, type)) {
    const field = type.getFields()[node.name.value]
    if (!field) continue
    const { needs } = traitsOf(field)
    const under = getNamedType(field.type)
    if (needs.into === 'self' && isObjectType(under))
      askAll(row, under, selection, context, { ...info, fieldNodes: [node] })
    else ask(row, { type, field, needs, selection }, node, context, info)
  }
}

/** A field that may be loaded early, and the whole selection on its row. */
interface Ahead {
  readonly type: GraphQLObjectType
  readonly field: GraphQLField<unknown, unknown>
  readonly needs: Needs
  readonly selection: Selection
}

function ask(
  row: Handle,
  { type, field, needs, selection }: Ahead,
  node: FieldNode,
  context: Context,
  info: GraphQLResolveInfo,
): void {
  const { key } = info.path
  const path = { prev: { ...info.path, key }, key: node.name.value, typename: type.name }
  const own = { fieldName: field.name, fieldNodes: [node], returnType: field.type, parentType: type, path }
  try {
    const values = getArgumentValues(field, node, info.variableValues)
    if (!field.resolve || !isByKeyAlone(needs, values, selection)) return
    context.clientRequest.notePrefetch(
      Promise.resolve(field.resolve(row, values, context, { ...info, ...own })),
    )
  } catch {
    // The link reports it when it is resolved.
  }
}

/** Whether a field is a link or a relation that needs no column of its row. */
function isByKeyAlone(
  { columns = [], relations = [], byKeyAlone, besideColumns, into }: Needs,
  values: object,
  selection: Selection,
): boolean {
  const named = (one: typeof columns) => (typeof one === 'function' ? one({ ...values }) : one).length > 0
  if (typeof into !== 'object' && !byKeyAlone) return false
  if (named(columns) && !besideColumns) return false
  return !named(relations) || (typeof byKeyAlone === 'function' ? byKeyAlone(selection) : byKeyAlone === true)
}
