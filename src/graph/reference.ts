import { keyOf } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { BadUserInputError } from '../errors/errors.ts'
import { setReference } from './federation.ts'
import { lookup } from './lookup.ts'
import { camelCase } from './names.ts'
import { typeOf } from './types.ts'

/** Lets other subgraphs refer to a table's rows by key. A reference costs as much as a lookup. */
export function defineReference(table: TableName): void {
  const key = camelCase(keyOf(table))
  setReference(typeOf(table).name, {
    key,
    resolve: (representation, context, info) => {
      const id = representation[key]
      if (typeof id !== 'string')
        throw new BadUserInputError(`A reference to a ${table} needs its ${key}, a string.`)
      return lookup(table, id, {}, context, info)
    },
  })
}
