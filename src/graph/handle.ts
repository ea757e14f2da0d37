import type { GraphQLResolveInfo } from 'graphql'
import type { Value } from '../specification/columns.ts'
import { keyOf } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { isReadable, loadColumns, loadRows } from '../loading/row-loader.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Entry } from '../rows/entry.ts'
import { unseen } from '../rows/moment.ts'
import type { Moment } from '../rows/moment.ts'
import type { Context } from './context.ts'
import type { ObjectBranch } from '../loading/ask.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { convert } from './conversions.ts'
import type { Scope } from './scope.ts'
import { selectionOf } from './selection.ts'

/** An object of the graph: the key of a row, its scope and its known columns. */
export interface Handle<T extends TableName = TableName> {
  readonly table: T
  readonly entry: Entry
  /** The scope in which it was reached. */
  readonly scope: Scope
  /** The type that its global id names, while its row is not known: a table that several sports share has several. */
  readonly typeName?: string
  /** What tells it from the row with the same key, if it is not that row: a projection of it. */
  readonly variant?: string
  /** The scope for objects below this one, and the row's version that it was derived from. */
  below?: { readonly scope: Scope; readonly toldAt: number }
}

export function handle<T extends TableName>(
  request: ClientRequest,
  table: T,
  key: string,
  scope: Scope,
): Handle<T> {
  const entry = request.account.rows.entry(table, key)
  request.touch(entry)
  return { table, entry, scope }
}

/** Handles on rows, without those that are known to be withdrawn. */
export function handles<T extends TableName>(
  request: ClientRequest,
  table: T,
  keys: readonly string[],
  scope: Scope,
): Handle<T>[] {
  const now = unseen(request.now)
  return keys
    .map((key) => handle(request, table, key, scope))
    .filter(({ entry }) => convert.flag(entry.column('deleted', now)) !== true)
}

/** The first row that is not known to be withdrawn; null if there is none. */
export const firstHandle = <T extends TableName>(
  request: ClientRequest,
  table: T,
  keys: readonly string[] | null,
  scope: Scope,
): Handle<T> | null => handles(request, table, keys ?? [], scope)[0] ?? null

/** A field's name in plans. */
export const fieldName = (info: GraphQLResolveInfo) => `${info.parentType.name}.${info.fieldName}`

/** A column's value if it is known; undefined if the row has to be loaded. */
export function cachedColumn(row: Handle, name: string, { now }: ClientRequest): Value | undefined {
  // Also of a row that is known to be missing: links alone may be selected of it.
  if (name === keyOf(row.table)) return row.entry.key
  const known = row.entry.column(name, now)
  if (known !== undefined) return known
  return isReadable(row.table) ? undefined : leagueColumn(row, name)
}

/**
 * A column's value. If it is unknown, the row is loaded together with all rows of its table that are missing
 * at that moment.
 */
export function column(
  row: Handle,
  name: string,
  { clientRequest: request }: Context,
  field: string,
): MaybePromise<Value> {
  if (name === keyOf(row.table)) return row.entry.key
  const known = cachedColumn(row, name, request)
  if (known !== undefined) return known
  return loadRow(row, request, [name], field).then(
    () => row.entry.column(name, request.now) ?? null,
    async (error: unknown) => {
      await turnEnds()
      return staleColumn(row, name, request, error)
    },
  )
}

/** All known columns of a row. If it has expired, it is loaded, or if that fails, served as it was. */
export function columnsOf(
  row: Handle,
  { clientRequest: request }: Context,
  field: string,
): MaybePromise<Record<string, unknown>> {
  const { entry } = row
  const known = entry.columns(request.now)
  if (!isEmpty(known) || entry.boughtAt === 0) return known
  const knownAt = (moment: Moment) => {
    const columns = entry.columns(moment)
    return isEmpty(columns) ? undefined : columns
  }
  const boughtAt = (moment: number) => entry.oldestBoughtAt(moment)
  return loadRow(row, request, ['deleted'], field).then(
    () => entry.columns(request.now),
    async (error: unknown) => {
      await turnEnds()
      return staleValue(entry, { at: knownAt, boughtAt }, request, error)
    },
  )
}

const isEmpty = (row: Record<string, unknown>) => Object.keys(row).length === 0

/** After a failure, waits for one turn, because another call may bring the row in the same turn. */
const turnEnds = () => new Promise((resolve) => setImmediate(resolve))

/** Loads a column of several rows, with one promise for each call. */
export function loadColumn(
  rows: readonly Handle[],
  name: string,
  { clientRequest: request }: Context,
  field: string,
): Promise<readonly ObjectBranch<Value>[]> {
  return loadEach(request, rows, [name], field, (row, error) => {
    if (error === undefined) return row.entry.column(name, request.now) ?? null
    return staleColumn(row, name, request, error)
  })
}

/** Loads columns of several rows. `valueOf` returns each row's result, after success or failure. */
export async function loadEach<V>(
  request: ClientRequest,
  rows: readonly Handle[],
  columns: readonly string[],
  field: string,
  valueOf: (row: Handle, error?: unknown) => V,
): Promise<readonly ObjectBranch<V>[]> {
  const valueAt = (nth: number, error?: unknown): V => valueOf(rows[nth] as Handle, error) // branches name no other
  const asked = (nth: number, error?: unknown): V | Error => {
    try {
      return valueAt(nth, error)
    } catch (failure) {
      return failure instanceof Error ? failure : new Error(String(failure))
    }
  }
  // The call was refused because of others that shared it. Another one brings the row.
  const late = (come: Promise<unknown>, nth: number): Promise<V> =>
    come.then(
      () => valueAt(nth),
      async (error: unknown) => {
        await turnEnds()
        return valueAt(nth, error)
      },
    )
  const branches = await loadRows(request, rows, columns, field)
  return branches.map(({ indices, values }) => ({
    indices,
    values: values.then(
      (those) =>
        indices.map((nth, at) => {
          const come = those[at]
          return come instanceof Promise ? late(come, nth) : asked(nth)
        }),
      async (error: unknown) => {
        await turnEnds()
        return indices.map((nth) => asked(nth, error))
      },
    ),
  }))
}

/** A column's value after loading it has failed: see `staleValue`. */
export function staleColumn({ entry }: Handle, name: string, request: ClientRequest, error: unknown): Value {
  const value = {
    at: (moment: Moment) => entry.column(name, moment),
    // A row that was missing has no such column. Its last version tells an age that is not too small.
    boughtAt: (moment: number) => entry.columnBoughtAt(name, moment) || entry.boughtAt,
  }
  return staleValue(entry, value, request, error)
}

/** What a moment accepts of a row, and when that was bought. */
interface Known<V> {
  readonly at: (moment: Moment) => V | undefined
  readonly boughtAt: (moment: number) => number
}

/** The value, if another call has brought it, or the expired value. Throws `error` if there is neither. */
function staleValue<V>(entry: Entry, known: Known<V>, request: ClientRequest, error: unknown): V {
  const come = known.at(request.now)
  if (come !== undefined) return come
  const moment = request.staleMoment(error)
  const value = moment === null || entry.boughtAt === 0 ? undefined : known.at(moment)
  if (value === undefined || moment === null) throw error
  request.noteStaleBecause(error, entry, known.boughtAt(moment))
  return value
}

/** A team's statistics do not name their league. It is the one that they were requested for. */
const leagueColumn = ({ scope }: Handle, name: string): Value =>
  name === 'organization_id' || name === 'division_id' ? (scope[name] ?? null) : null

/** Loads columns of a row, unless they are known. */
export const loadRow = (row: Handle, request: ClientRequest, columns: readonly string[], field: string) =>
  loadColumns(request, row.table, row.entry.key, columns, field)

/** The scope for objects below a row. The row's own columns win over the scope in which it was reached. */
export function scopeFrom(row: Handle, request: ClientRequest): Scope {
  const { below, entry } = row
  if (below?.toldAt === entry.changedAt) return below.scope
  const scope = scopeBelow(row, request)
  row.below = { scope, toldAt: entry.changedAt }
  return scope
}

function scopeBelow({ table, entry, scope }: Handle, { now }: ClientRequest): Scope {
  if (table === 'organization') return { ...scope, organization_id: entry.key }
  if (table === 'division') return { ...scope, division_id: entry.key }
  const row = entry.freshRow(now)
  // A row's ids do not change and a game's day seldom does, so expired ones will do.
  const valueOf = (name: string): unknown => row?.[name] ?? entry.column(name, 0)
  const [organization, division, season, day] = [
    valueOf('organization_id'),
    valueOf('division_id'),
    valueOf('season'),
    valueOf('start_date'),
  ]
  return sameScope({
    organization_id: typeof organization === 'string' ? organization : scope.organization_id,
    division_id: typeof division === 'string' ? division : scope.division_id,
    season: convert.integer(season) === null ? scope.season : Number(season),
    day: typeof day === 'string' ? day.slice(0, 10) : table === 'game' ? undefined : scope.day,
  })
}

let lastScope: Scope = {}

/** Returns the previous scope object if it is equal: the games of a day share one. */
function sameScope(scope: Scope): Scope {
  const isSame =
    scope.organization_id === lastScope.organization_id &&
    scope.division_id === lastScope.division_id &&
    scope.season === lastScope.season &&
    scope.day === lastScope.day
  return isSame ? lastScope : (lastScope = scope)
}

/**
 * Loads the row if the query selects nothing but columns of it. Then the handle is returned when they are
 * known.
 */
export function withPrefetch<T extends TableName>(
  row: Handle<T>,
  { clientRequest: request }: Context,
  info: GraphQLResolveInfo,
) {
  const beyond = columnsToPrefetch(row.table, info)
  if (row.entry.knows(beyond, request.now)) return row
  // Each column reports its own failure; the object stays.
  return loadRow(row, request, beyond, fieldName(info)).then(
    () => row,
    () => row,
  )
}

/**
 * The columns that a query selects on the rows of a field, if it selects nothing else there; otherwise none.
 */
export function columnsToPrefetch(table: TableName, info: GraphQLResolveInfo): readonly string[] {
  const { columns, relations, links } = selectionOf(info)
  if (relations.size > 0 || links.size > 0 || !isReadable(table)) return []
  return [...columns].filter((name) => name !== keyOf(table))
}
