import type { FieldRef, InterfaceRef, ObjectRef, SchemaTypes } from '@pothos/core'
import type { TableName } from '../specification/tables.ts'
import type { builder } from './builder.ts'
import type { Handle } from './handle.ts'
import { setTypeName } from './type-names.ts'
import type { NameOf } from './type-names.ts'

/** The builder's type parameters. */
export type Types =
  typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T extends SchemaTypes> ? T : never

/** The field builder of a row's type. */
export type RowFields = PothosSchemaTypes.RootFieldBuilder<Types, Handle, 'Object' | 'Interface'>
export type Fields = Record<string, FieldRef<Types>>

type Ref = ObjectRef<Types, Handle> | InterfaceRef<Types, Handle>

const refs = new Map<TableName, Ref>()

/**
 * The GraphQL type of a table's rows. Call it only while fields are built, after all type files are loaded.
 */
export function typeOf(table: TableName): Ref {
  const ref = refs.get(table)
  if (!ref) throw new Error(`The table ${table} has no type. Does schema.ts import its file?`)
  return ref
}

export function setTypeOf(table: TableName, ref: Ref, nameOf: NameOf): void {
  refs.set(table, ref)
  setTypeName(table, nameOf)
}
