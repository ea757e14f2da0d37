import { getArgumentValues, getNamedType, isObjectType } from 'graphql'
import type { FieldNode, GraphQLField, GraphQLObjectType, GraphQLResolveInfo } from 'graphql'
import type { Context } from './context.ts'
import type { Handle } from './handle.ts'
import { resolveOne } from './many-answers.ts'
import type { Relation } from './many-answers.ts'
import { includedFields, selectionOf } from './selection.ts'
import { traitsOf } from './traits.ts'
import type { Needs } from './needs.ts'
import type { Selection } from '../plan/selection.ts'
import { typeNameOf } from './type-names.ts'

/**
 * Loads the links of a row in parallel with the row itself, if they need only its key. Failures are reported
 * later, by the link itself. Returns whether that is all that the query selects beyond the row's columns: if
 * not, other calls wait for the row. Beyond a number of prefetches, links are loaded when their rows are there, where
 * the execution's budget counts them.
 */
export function prefetchLinks(row: Handle, context: Context, info: GraphQLResolveInfo): boolean {
  if (context.clientRequest.hasManyPrefetches) return false
  const type = info.schema.getType(typeNameOf(row, context))
  return isObjectType(type) && askAll(row, type, selectionOf(info, type), context, info)
}

function askAll(
  row: Handle,
  type: GraphQLObjectType,
  selection: Selection,
  context: Context,
  info: GraphQLResolveInfo,
): boolean {
  let isAll = true
  for (const node of includedFields(info, type)) {
    const field = type.getFields()[node.name.value]
    if (!field) continue
    const { needs, relation } = traitsOf(field)
    const under = getNamedType(field.type)
    const isAsked =
      needs.into === 'self' && isObjectType(under)
        ? askAll(row, under, selection, context, { ...info, fieldNodes: [node] })
        : ask(row, { type, field, needs, relation, selection }, node, context, info)
    isAll &&= isAsked
  }
  return isAll
}

/** A field that may be loaded early, and the whole selection on its row. */
interface Ahead {
  readonly type: GraphQLObjectType
  readonly field: GraphQLField<unknown, unknown>
  readonly needs: Needs
  readonly relation: Relation<unknown, unknown, unknown> | null
  readonly selection: Selection
}

/** Asks for a link. Returns whether nothing of the field is left to load once the row is there. */
function ask(
  row: Handle,
  { type, field, needs, relation, selection }: Ahead,
  node: FieldNode,
  context: Context,
  info: GraphQLResolveInfo,
): boolean {
  const { key } = info.path
  const path = { prev: { ...info.path, key }, key: node.name.value, typename: type.name }
  const own = { fieldName: field.name, fieldNodes: [node], returnType: field.type, parentType: type, path }
  try {
    const values = getArgumentValues(field, node, info.variableValues)
    if (!isByKeyAlone(needs, values, selection)) return isColumn(needs, values)
    const inField = { ...info, ...own }
    const answer = relation
      ? resolveOne(relation, row, values, context, inField)
      : field.resolve?.(row, values, context, inField)
    context.clientRequest.notePrefetch(Promise.resolve(answer))
    return isShallow(field, selection)
  } catch {
    // The link reports it when it is resolved.
    return true
  }
}

/** Whether a field is a link or a relation that needs no column of its row. */
function isByKeyAlone(
  { columns = [], relations = [], byKeyAlone, besideColumns, into }: Needs,
  values: object,
  selection: Selection,
): boolean {
  if (typeof into !== 'object' && !byKeyAlone) return false
  if (isAny(columns, values) && !besideColumns) return false
  return (
    !isAny(relations, values) ||
    (typeof byKeyAlone === 'function' ? byKeyAlone(selection) : byKeyAlone === true)
  )
}

const isAny = (names: Needs['columns'] = [], values: object) =>
  (typeof names === 'function' ? names({ ...values }) : names).length > 0

/** Whether a field consists of columns of its row. */
const isColumn = ({ relations, into }: Needs, values: object) =>
  typeof into !== 'object' && !isAny(relations, values)

/** Whether a field's call brings all that is selected on what it leads to. */
function isShallow(field: GraphQLField<unknown, unknown>, { links }: Selection): boolean {
  const { needs, relation } = traitsOf(field)
  const under = typeof needs.into === 'object' ? links.get(needs.into.link) : undefined
  if (!under) return true
  const { columns } = relation ?? {}
  return (
    under.links.size + under.relations.size === 0 &&
    (!columns || [...under.columns].every((name) => columns.includes(name)))
  )
}
