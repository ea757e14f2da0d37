import type { GraphQLResolveInfo } from 'graphql'
import { keyOf } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { isReadable } from './row-loader.ts'
import { prefetchLinks } from './prefetch.ts'
import type { Context } from './context.ts'
import { fieldName, handle, loadRow } from './handle.ts'
import type { Handle } from './handle.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { parseScopedId } from './ids.ts'
import type { Scope } from './scope.ts'
import { selectionOf } from './selection.ts'
import { typeOf } from './types.ts'

/**
 * An object by its id. Its scope is the one that the id names, or else the given one.
 * Its row is read if a column beyond the key is selected, or nothing but the key;
 * relations alone make their own calls. Null if there is no such row. If the row cannot be read, the object
 * stays, with its key and its relations.
 */
export function lookup(
  table: TableName,
  id: string,
  scope: Scope,
  context: Context,
  info: GraphQLResolveInfo,
): MaybePromise<Handle | null> {
  const { key, scope: own } = parseScopedId(id, table)
  return lookupKey(table, key, { ...scope, ...own }, context, info)
}

/**
 * Objects by their ids, in order. An invalid id becomes an error in its place and does not affect the others.
 */
export function lookups(
  table: TableName,
  ids: readonly string[],
  scope: Scope,
  context: Context,
  info: GraphQLResolveInfo,
): MaybePromise<Handle | null>[] {
  return ids.map((id) => {
    try {
      return lookup(table, id, scope, context, info)
    } catch (error) {
      return Promise.reject(error)
    }
  })
}

export function lookupKey(
  table: TableName,
  key: string,
  scope: Scope,
  context: Context,
  info: GraphQLResolveInfo,
  typeName?: string,
): MaybePromise<Handle | null> {
  const { clientRequest: request } = context
  const reached = handle(request, table, key, scope)
  const row = typeName === undefined ? reached : { ...reached, typeName }
  const selection = selectionOf(info, info.schema.getType(typeOf(table).name))
  const column = keyOf(table)
  const columns = [...new Set([column, ...selection.columns])]
  const linksAlone = columns.length === 1 && (selection.links.size > 0 || selection.relations.size > 0)
  if (linksAlone || !isReadable(table)) return row
  if (columns.every((name) => row.entry.column(name, request.now) !== undefined)) {
    if (row.entry.isOlder(request.began)) request.hit(`${table}/read`, [column], fieldName(info))
    return there(row)
  }
  const isAlone = selection.links.size + selection.relations.size === 0
  // What is nested in the object begins when its row is there.
  const isWaitedFor = !isAlone && !prefetchLinks(row, context, info)
  const when = isWaitedFor ? 'now' : 'afterSearch'
  return loadRow(row, request, columns, fieldName(info), when).then(
    () => there(row),
    () => row,
  )

  function there(found: Handle): Handle | null {
    return found.entry.isMissing(request.now) ? null : found
  }
}
