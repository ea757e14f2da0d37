import { keyOf } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { setReference } from './federation.ts'
import { invalidId, scopedKeyIn } from './ids.ts'
import { lookupKey } from './lookup.ts'
import { camelCase } from './names.ts'
import { typeOf } from './types.ts'

/** Lets other subgraphs refer to a table's rows by key. A reference costs as much as a lookup. */
export function defineReference(table: TableName): void {
  const key = camelCase(keyOf(table))
  setReference(typeOf(table).name, {
    key,
    resolve: (representation, context, info, errors) => {
      const id = representation[key]
      if (typeof id !== 'string')
        return errors.of(() => `A reference to a ${table} needs its ${key}, a string.`)
      const found = scopedKeyIn(id, table)
      return found
        ? lookupKey(table, found.key, found.scope, context, info)
        : errors.of(() => invalidId(id, table))
    },
  })
}
