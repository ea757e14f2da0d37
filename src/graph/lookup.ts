import type { GraphQLResolveInfo } from 'graphql'
import { keyOf } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { isReadable, loadRows } from '../loading/row-loader.ts'
import type { When } from '../loading/row-loader.ts'
import { ListedErrors } from '../errors/listed-errors.ts'
import { prefetchLinks } from './prefetch.ts'
import type { Context } from './context.ts'
import { fieldName, handle } from './handle.ts'
import type { Handle } from './handle.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { invalidId, parseScopedId, scopedKeyIn } from './ids.ts'
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
  const wanted = wantedOf(table, context, info)
  const late: Late[] = []
  const errors = new ListedErrors()
  const found = ids.map((id) => {
    const scoped = scopedKeyIn(id, table)
    if (!scoped) return errors.of(() => invalidId(id, table))
    const { key, scope: own } = scoped
    return cachedOrLate(handle(context.clientRequest, table, key, { ...scope, ...own }), wanted, late)
  })
  load(late, wanted)
  return found
}

export function lookupKey(
  table: TableName,
  key: string,
  scope: Scope,
  context: Context,
  info: GraphQLResolveInfo,
  typeName?: string,
): MaybePromise<Handle | null> {
  const reached = handle(context.clientRequest, table, key, scope)
  const row = typeName === undefined ? reached : { ...reached, typeName }
  const wanted = wantedOf(table, context, info)
  const late: Late[] = []
  const found = cachedOrLate(row, wanted, late)
  load(late, wanted)
  return found
}

/** What a field selects of the objects that it looks up. */
interface WantedObjects {
  readonly context: Context
  readonly info: GraphQLResolveInfo
  /** Null if no column has to be known. */
  readonly columns: readonly string[] | null
  /** Whether nothing is nested in the objects. */
  readonly isAlone: boolean
}

/** An object whose row has to be read. */
interface Late {
  readonly row: Handle
  readonly when: When
  readonly resolve: (found: Handle | null) => void
}

function wantedOf(table: TableName, context: Context, info: GraphQLResolveInfo): WantedObjects {
  const selection = selectionOf(info, info.schema.getType(typeOf(table).name))
  const columns = [...new Set([keyOf(table), ...selection.columns])]
  const isAlone = selection.links.size + selection.relations.size === 0
  const isKeyAlone = columns.length === 1 && !isAlone
  return { context, info, columns: isKeyAlone || !isReadable(table) ? null : columns, isAlone }
}

/** Adds the object to `late` if its row has to be read. */
function cachedOrLate(row: Handle, wanted: WantedObjects, late: Late[]): MaybePromise<Handle | null> {
  const { columns, context, info, isAlone } = wanted
  const { clientRequest: request } = context
  const { table, entry } = row
  if (columns === null) return row
  if (columns.some((name) => entry.column(name, request.now) === undefined)) {
    // What is nested in the object begins when its row is there.
    const when = isAlone || prefetchLinks(row, context, info) ? 'afterSearch' : 'now'
    return new Promise((resolve) => late.push({ row, when, resolve }))
  }
  if (entry.isOlder(request.began)) request.hit(`${table}/read`, [keyOf(table)], fieldName(info))
  return there(row, request)
}

const there = (row: Handle, { now }: ClientRequest) => (row.entry.isMissing(now) ? null : row)

/** Reads rows with the fewest calls. */
function load(late: readonly Late[], wanted: WantedObjects): void {
  for (const when of ['now', 'afterSearch'] as const) {
    const those = late.filter((one) => one.when === when)
    if (those.length > 0) read(those, when, wanted).catch(() => stay(those))
  }
}

/** Reads rows together. An object whose row cannot be read stays as it is. */
async function read(late: readonly Late[], when: When, { context, info, columns }: WantedObjects) {
  const { clientRequest: request } = context
  const rows = late.map(({ row }) => row)
  for (const { indices, values } of await loadRows(request, rows, columns ?? [], fieldName(info), when)) {
    const those = indices.flatMap((index) => late[index] ?? [])
    values.then(
      (come) =>
        those.forEach(({ row, resolve }, nth) => {
          const one = come[nth]
          // A promise is that of another call, because the first was refused for what others asked of it.
          if (!(one instanceof Promise)) return resolve(there(row, request))
          one.then(
            () => resolve(there(row, request)),
            () => resolve(row),
          )
        }),
      () => stay(those),
    )
  }
}

const stay = (late: readonly Late[]) => late.forEach(({ row, resolve }) => resolve(row))
