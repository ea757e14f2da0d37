import type { Column, Columns } from '../specification/columns.ts'
import { keyOf, tables } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { builder } from './builder.ts'
import { byLevel } from './by-level.ts'
import type { Handle } from './handle.ts'
import { idScopeOf } from './id-scope.ts'
import type { ScopePart } from './id-scope.ts'
import { globalId, registerTypeName } from './ids.ts'
import { Link } from './link.ts'
import { camelCase, linkOf } from './names.ts'
import { scalarOf } from './scalars.ts'
import { convert } from './conversions.ts'
import { setTypeOf, typeOf } from './types.ts'
import { typeNameOf } from './type-names.ts'
import type { Fields, RowFields } from './types.ts'

interface TableType {
  readonly description: string
  /** Whether `node(id:)` finds its rows. */
  readonly node?: boolean
  /** The parts of the scope on which its fields depend, beside those that its rows name. Its ids carry them. */
  readonly scoped?: readonly ScopePart[]
  /** Columns without a generated field. The table's file defines these fields itself. */
  readonly without?: readonly string[]
  /** Relations beyond the columns and their foreign keys. */
  readonly links?: (t: RowFields) => Fields
}

/**
 * Defines a table's type: `id`, a field for each column, the row behind each foreign key, and the given
 * relations.
 */
export function defineTable(table: TableName, name: string, options: TableType) {
  const ref = builder.objectRef<Handle>(name)
  registerTypeName(table, name)
  setTypeOf(table, ref, () => name)
  builder.objectType(ref, {
    description: options.description,
    interfaces: options.node ? [builder.nodeInterfaceRef()] : [],
    fields: (t) => ({
      id: idField(t, { isNode: options.node, scoped: () => options.scoped ?? [] }),
      ...columnFields(t, table, without(tables[table], options.without)),
      ...options.links?.(t),
    }),
  })
  return ref
}

const without = (columns: Columns, names: readonly string[] = []): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => !names.includes(name)))

const keyOfId = ({ entry, variant }: Handle) => (variant ? `${entry.key}:${variant}` : entry.key)

interface IdOptions {
  /** Whether `node(id:)` finds the row. */
  readonly isNode?: boolean | undefined
  /** The parts of the scope that a row's id carries. */
  readonly scoped?: (row: Handle) => readonly ScopePart[]
}

/** The global id of a row. */
export const idField = (t: RowFields, { isNode = false, scoped = () => [] }: IdOptions = {}) =>
  t.id({
    nullable: false,
    description: `Global id of the object, unique across types${isNode ? '' : ', for a client’s cache. `node(id:)` does not find it: the service does not read such rows by their ids'}. Where fields depend on the season or the league in which the object was reached, its id names them, so compare keys such as \`teamId\`. Costs nothing.`,
    resolve: (row, _args, context) =>
      globalId(typeNameOf(row, context), keyOfId(row), idScopeOf(row, scoped(row), context)),
  })

/** One field for each column, and one for the row behind each foreign key. */
export function columnFields(t: RowFields, table: TableName, columns: Columns): Fields {
  const fields: Fields = {}
  for (const [name, column] of Object.entries(columns)) {
    fields[column.field ?? camelCase(name)] = columnField(t, name, column, name !== keyOf(table))
    if (column.references) fields[camelCase(linkOf(name))] = linkField(t, name, column)
  }
  return fields
}

function columnField(
  t: RowFields,
  name: string,
  { kind, description, references }: Column,
  nullable: boolean,
) {
  // The conversion of a kind returns what its scalar serializes; the compiler cannot see that.
  const read = convert[kind] as (value: unknown) => string | null
  return t.field({
    type: scalarOf[kind] as 'String',
    nullable: nullable as true,
    description: references
      ? `${description} This is the id; \`${camelCase(linkOf(name))}\` is the object.`
      : description,
    needs: { columns: [name] },
    column: { name, convert: read },
    resolve: byLevel<Handle, object, string | null>(),
  })
}

function linkField(t: RowFields, name: string, { references, description }: Column) {
  const link = linkOf(name)
  const table = references as TableName // foreign() is given nothing but tables
  return t.field({
    type: typeOf(table),
    nullable: true,
    description: `${description} Its columns cost one read, shared by all such objects of the query, or nothing if another field brings them.`,
    needs: { columns: [name], into: { link } },
    relation: new Link(name, table),
    resolve: byLevel<Handle, object, Handle | null>(),
  })
}
