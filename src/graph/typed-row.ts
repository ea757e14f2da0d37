import type { Column, Kind } from '../specification/columns.ts'
import { tables } from '../specification/tables.ts'
import type { Row, TableName } from '../specification/tables.ts'
import type { Context } from './context.ts'
import { column } from './handle.ts'
import type { Handle } from './handle.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { convert } from './conversions.ts'
import { allDone } from '../upstream/groups.ts'

/**
 * Some columns of a row in the specification's types, for functions that compute with rows. What has been
 * paid for is answered at once; what is missing is loaded with every other row that is missing at that
 * moment.
 */
export function typedRow<T extends TableName, C extends keyof Row<T> & string>(
  table: T,
  row: Handle,
  names: readonly C[],
  context: Context,
  field: string,
): MaybePromise<Pick<Row<T>, C>> {
  const values = names.map((name) => column(row, name, context, field))
  const kinds: Readonly<Record<string, Column>> = tables[table]
  const typed = (known: readonly unknown[]) =>
    // A value for each name, of its column's kind.
    Object.fromEntries(
      names.map((name, index) => [name, typedValue(kinds[name]?.kind ?? 'text', known[index])]),
    ) as unknown as Pick<Row<T>, C>
  return values.some((value) => value instanceof Promise) ? allDone(values).then(typed) : typed(values)
}

/** A row's flags are 0 or 1, where the graph's are booleans. */
function typedValue(kind: Kind, value: unknown): unknown {
  const known = convert[kind](value)
  return typeof known === 'boolean' ? Number(known) : known
}

/** Values some of which have to be waited for. */
export const allOf = <V>(values: readonly MaybePromise<V>[]): MaybePromise<readonly V[]> =>
  values.some((value) => value instanceof Promise) ? allDone(values) : (values as readonly V[]) // none is a promise
