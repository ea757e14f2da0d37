import { keyOf } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { BadUserInputError } from '../upstream/errors.ts'
import { builder } from './builder.ts'
import { lookup } from './lookup.ts'
import { camelCase } from './names.ts'
import { typeOf } from './types.ts'

/**
 * Lets other subgraphs refer to a table's rows by their key. What a reference costs is what a lookup costs.
 */
export function defineReference(table: TableName): void {
  const key = camelCase(keyOf(table))
  builder.asEntity(typeOf(table), {
    // A selection is typed by literal names; this one follows from the table.
    key: builder.selection<object>(key as ''),
    resolveReference: (representation, context, info) => {
      const id: unknown = Object.entries(representation).find(([name]) => name === key)?.[1]
      if (typeof id !== 'string')
        throw new BadUserInputError(`A reference to a ${table} needs its ${key}, a string.`)
      return lookup(table, id, {}, context, info)
    },
  })
}
