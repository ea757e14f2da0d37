import type { FieldRef, InterfaceRef, ObjectRef, SchemaTypes } from '@pothos/core'
import type { TableName } from '../specification/tables.ts'
import type { builder } from './builder.ts'
import type { Handle } from './handle.ts'
import { setTypeName } from './type-names.ts'
import type { NameOf } from './type-names.ts'

/** The types that the builder was made with. */
export type Types =
  typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T extends SchemaTypes> ? T : never

/** What fields of a row's type are made with. */
export type RowFields = PothosSchemaTypes.RootFieldBuilder<Types, Handle, 'Object' | 'Interface'>
export type Fields = Record<string, FieldRef<Types>>

type Ref = ObjectRef<Types, Handle> | InterfaceRef<Types, Handle>

const refs = new Map<TableName, Ref>()

/** The type of a table's rows. Called while fields are built, after all type files are read. */
export function typeOf(table: TableName): Ref {
  const ref = refs.get(table)
  if (!ref) throw new Error(`No type stands for ${table}; is its file in schema.ts?`)
  return ref
}

export function setTypeOf(table: TableName, ref: Ref, nameOf: NameOf): void {
  refs.set(table, ref)
  setTypeName(table, nameOf)
}
