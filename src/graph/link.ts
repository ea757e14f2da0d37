import type { GraphQLResolveInfo } from 'graphql'
import type { Value } from '../specification/columns.ts'
import { keyOf } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import type { Context } from './context.ts'
import {
  withPrefetch,
  cachedColumn,
  columnsToPrefetch,
  fieldName,
  handle,
  loadColumn,
  loadEach,
  scopeFrom,
} from './handle.ts'
import type { Handle } from './handle.ts'
import type { ObjectBranch } from '../loading/ask.ts'
import { andThen } from '../loading/maybe-promise.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { pending } from './many-answers.ts'
import type { ManyAnswers, Relation } from './many-answers.ts'
import { allDone } from '../groups.ts'

type Target = Handle | null

/** The row that a foreign key points to. It is loaded at once if the query selects only columns of it. */
export class Link implements Relation<Handle, object, Target> {
  readonly #column: string
  readonly #table: TableName

  constructor(keyColumn: string, table: TableName) {
    this.#column = keyColumn
    this.#table = table
  }

  resolveMany(
    parents: readonly Handle[],
    _args: object,
    context: Context,
    info: GraphQLResolveInfo,
  ): ManyAnswers<Target> {
    const { clientRequest: request } = context
    const columns = columnsToPrefetch(this.#table, info)
    const withoutKey: number[] = []
    const withoutColumns: number[] = []
    const rows: Handle[] = []
    const values = parents.map((parent, index) => {
      const key = this.#cachedKey(parent, context)
      if (key === undefined) {
        withoutKey.push(index)
        return pending
      }
      const row = this.#rowOf(parent, key, context)
      if (row === null || row.entry.knows(columns, request.now)) return row
      withoutColumns.push(index)
      rows.push(row)
      return pending
    })
    if (withoutKey.length + withoutColumns.length === 0) return { values, branches: null }
    const field = fieldName(info)
    // Each column reports its own failure; the object stays.
    const loaded = loadEach(request, rows, columns, field, (row) => row)
    const followed = this.#loadKeys(
      withoutKey.flatMap((index) => parents[index] ?? []),
      context,
      info,
    )
    const branches = allDone([at(loaded, withoutColumns), at(followed, withoutKey)])
    return { values, branches: branches.then((several) => several.flat()) }
  }

  #cachedKey(parent: Handle, { clientRequest: request }: Context): Value | undefined {
    return this.#column === keyOf(parent.table)
      ? parent.entry.key
      : cachedColumn(parent, this.#column, request)
  }

  /** Loads the foreign keys of rows, then the rows that they point to. */
  async #loadKeys(
    parents: readonly Handle[],
    context: Context,
    info: GraphQLResolveInfo,
  ): Promise<readonly ObjectBranch<Target>[]> {
    if (parents.length === 0) return []
    const branches = await loadColumn(parents, this.#column, context, fieldName(info))
    return branches.map(({ indices, values }) => ({
      indices,
      values: values.then((keys) =>
        indices.map((nth, position) => {
          const [parent, key] = [parents[nth], keys[position]]
          if (!parent || key === undefined || key instanceof Error) return key instanceof Error ? key : null
          return andThen(key, (value) => this.#follow(parent, value, context, info))
        }),
      ),
    }))
  }

  #follow(parent: Handle, key: Value, context: Context, info: GraphQLResolveInfo): MaybePromise<Target> {
    const row = this.#rowOf(parent, key, context)
    return row && withPrefetch(row, context, info)
  }

  #rowOf(parent: Handle, key: Value, { clientRequest: request }: Context): Target {
    return key === null ? null : handle(request, this.#table, String(key), scopeFrom(parent, request))
  }
}

/** Translates the indices of branches into those of a longer list. */
async function at<R>(
  branches: Promise<readonly ObjectBranch<R>[]>,
  positions: readonly number[],
): Promise<readonly ObjectBranch<R>[]> {
  return (await branches).map(({ indices, values }) => ({
    indices: indices.map((nth) => positions[nth] ?? 0),
    values,
  }))
}
