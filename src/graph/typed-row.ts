import type { Column, Kind } from '../specification/columns.ts'
import { tables } from '../specification/tables.ts'
import type { Row, TableName } from '../specification/tables.ts'
import type { Context } from './context.ts'
import { column } from './handle.ts'
import type { Handle } from './handle.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { convert } from './conversions.ts'
import { allDone } from '../groups.ts'

/**
 * Columns of a row with the specification's types, for functions that compute with rows. Missing ones are
 * loaded with all rows that are missing at that moment.
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
    // The keys are `names`, and each value has its column's kind. fromEntries() knows texts as keys alone.
    Object.fromEntries(
      names.map((name, index) => [name, typedValue(kinds[name]?.kind ?? 'text', known[index])]),
    ) as unknown as Pick<Row<T>, C>
  return values.some((value) => value instanceof Promise) ? allDone(values).then(typed) : typed(values)
}

/** Flags are 0 or 1 in a row, booleans in the graph. */
function typedValue(kind: Kind, value: unknown): unknown {
  const known = convert[kind](value)
  return typeof known === 'boolean' ? Number(known) : known
}

/** Waits for all values, if any is a promise. */
export const allOf = <const T extends readonly unknown[]>(values: T): MaybePromise<Settled<T>> =>
  values.some((value) => value instanceof Promise)
    ? allDone(values)
    : // No value is a promise, so each is what awaiting it would give. The compiler does not narrow a list's items.
      (values as unknown as Settled<T>)

type Settled<T extends readonly unknown[]> = { -readonly [Index in keyof T]: Awaited<T[Index]> }
