import type { FieldRef, InterfaceRef, ObjectRef, SchemaTypes } from '@pothos/core'
import type { TableName } from '../specification/tables.ts'
import type { builder, Context } from './builder.ts'
import type { Handle } from './handle.ts'

/** The types that the builder was made with. */
export type Types =
  typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T extends SchemaTypes> ? T : never

/** What fields of a row's type are made with. */
export type RowFields = PothosSchemaTypes.RootFieldBuilder<Types, Handle, 'Object' | 'Interface'>
export type Fields = Record<string, FieldRef<Types>>

type Ref = ObjectRef<Types, Handle> | InterfaceRef<Types, Handle>

/** Names the type of one row: a table that several sports share has several. */
export type NameOf = (row: Handle, context: Context) => string

const refs = new Map<TableName, { readonly ref: Ref; readonly nameOf: NameOf }>()

/** The type of a table's rows. Called while fields are built, after all type files are read. */
export const typeOf = (table: TableName): Ref => registered(table).ref

/** The name of the concrete type of a row. */
export const typeNameOf: NameOf = (row, context) => registered(row.table).nameOf(row, context)

export function setTypeOf(table: TableName, ref: Ref, nameOf: NameOf): void {
  refs.set(table, { ref, nameOf })
}

function registered(table: TableName) {
  const type = refs.get(table)
  if (!type) throw new Error(`No type stands for ${table}; is its file in schema.ts?`)
  return type
}
