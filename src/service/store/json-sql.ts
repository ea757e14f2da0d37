import type { Kind } from '../../specification/columns.ts'
import type { Dialect } from './connection.ts'

/**
 * SQL expressions that make JSON text. The database makes a row's text several times as fast as its values
 * can be read one by one and printed here. The text equals that of JSON.stringify.
 */
export interface JsonSql {
  /** An object of columns of a table. */
  object(columns: readonly (readonly [name: string, kind: Kind])[], table: string): string
  /** A text, a whole number or null. */
  value(expression: string): string
  /** The texts of a group, joined by commas in the order of its rows. */
  joined(expression: string): string
}

/**
 * Stands for a number that the database prints differently from JavaScript, such as 1e-5 for 0.00001. A text
 * that contains it is not used. It is JSON's form of the character U+0001, which no name contains.
 */
export const UNWRITABLE = '\\u0001'

const quoted = (column: string) => `"${column}"`

const sqliteNumber = (x: string) => `case
  when ${x} is null or (${x} = cast(${x} as integer) and abs(${x}) < 1e15) then cast(${x} as integer)
  when cast(cast(${x} as text) as real) = ${x} and abs(${x}) >= 1e-4 and abs(${x}) < 1e15 then ${x}
  else char(1) end`

const sqlite: JsonSql = {
  object: (columns, table) => {
    const members = columns.map(([name, kind]) => {
      const column = `${table}.${quoted(name)}`
      return `'${name}', ${kind === 'number' ? sqliteNumber(column) : column}`
    })
    return `json_object(${members.join(', ')})`
  },
  value: (expression) => `json_quote(${expression})`,
  joined: (expression) => `group_concat(${expression}, ',')`,
}

// Adding zero turns -0 into 0, as JSON.stringify does.
const postgresNumber = (x: string) => `case
  when ${x} is null or ${x} = 0 or (abs(${x}) >= 1e-4 and abs(${x}) < 1e15) then to_json(${x} + 0)
  else to_json(chr(1)) end`

const postgres: JsonSql = {
  // Only row_to_json writes an object without spaces.
  object: (columns, table) => {
    const members = columns.map(([name, kind]) => {
      const column = `${table}.${quoted(name)}`
      return kind === 'number' ? `${postgresNumber(column)} as ${quoted(name)}` : column
    })
    return `(select row_to_json(object)::text from (select ${members.join(', ')}) as object)`
  },
  value: (expression) => `coalesce(to_json(${expression})::text, 'null')`,
  joined: (expression) => `string_agg(${expression}, ',')`,
}

export const jsonSqlOf = (dialect: Dialect): JsonSql => (dialect === 'sqlite' ? sqlite : postgres)
