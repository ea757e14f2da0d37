import type { TableName } from '../specification/tables.ts'
import { builder } from './builder.ts'
import { sizeOf } from './cost.ts'
import { lookup, lookups } from './lookup.ts'
import { defineReference } from './reference.ts'
import { typeOf } from './types.ts'

/**
 * Adds a lookup such as `team(id:)` to the root fields, `teams(ids:)` if a plural is given, and references
 * from other subgraphs.
 */
export function defineLookup(table: TableName, name: string, plural?: string): void {
  defineReference(table)
  builder.queryField(name, (t) =>
    t.field({
      type: typeOf(table),
      nullable: true,
      description: `A ${name} by its id; null if there is none. Costs one read if columns are selected, one for all ids of the query together; relations cost what they say. Below \`league\` the same field knows its league.`,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context, info) => lookup(table, String(id), {}, context, info),
    }),
  )
  if (!plural) return
  builder.queryField(plural, (t) =>
    t.field({
      type: [typeOf(table)],
      nullable: { list: false, items: true },
      listSize: sizeOf('idsAsked'),
      description: `${plural[0]?.toUpperCase()}${plural.slice(1)} by their ids, in the same order; null for an unknown id. Costs one read for all ids.`,
      args: { ids: t.arg.idList({ required: true }) },
      resolve: (_root, { ids }, context, info) => lookups(table, ids.map(String), {}, context, info),
    }),
  )
}
