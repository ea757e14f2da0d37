import type { Kind } from '../../specification/columns.ts'
import { keyOf } from '../../specification/tables.ts'
import type { TableName } from '../../specification/tables.ts'
import type { JsonSql } from '../store/json-sql.ts'
import { specifiedColumns } from '../store/schema.ts'
import { isDay } from './arguments.ts'
import { sportKeyOf } from './json.ts'
import type { Arguments, Template, Values } from './operation.ts'
import { columnsOf, isLined, maxRows, orderOf, rangeOf } from './selection.ts'

/** The SQL of an entry, for the row `found` of the template's table. */
type Entry = (json: JsonSql) => string

export const FOUND = 'found'

/** The matching rows of a table by id, in the table's natural order. */
export const rowsTemplate = (table: TableName, entry: Entry = rowEntry(table)): Template => ({
  ...ofTable(table),
  most: maxRows(table),
  sql: (json, conditions) => {
    const rows = `select ${keyedEntry(json, table, entry)} as entry from ${table} as ${FOUND} where ${conditions}
      order by ${FOUND}.${orderOf(table)} nulls first, ${FOUND}.${keyOf(table)} limit ${maxRows(table) + 1}`
    return keyedList(json, rows)
  },
})

/** The matching row with the lowest key, if wanted of the latest day. */
export const rowTemplate = (table: TableName, order?: 'latest'): Template => ({
  ...ofTable(table),
  most: null,
  sql: (json, conditions) => {
    const latest = order === 'latest' ? `${FOUND}.date_of_rank desc,` : ''
    return `select ${rowEntry(table)(json)} as answer, 1 as number from ${table} as ${FOUND} where ${conditions}
      order by ${latest} ${FOUND}.${keyOf(table)} limit 1`
  },
})

const ofTable = (table: TableName) => ({
  kinds: columnsOf(table),
  column: (name: string) => `${FOUND}."${name}"`,
})

const keyedEntry = (json: JsonSql, table: TableName, entry: Entry) =>
  `${json.value(`${FOUND}.${keyOf(table)}`)} || ':' || ${entry(json)}`

/** An object of the entries that a query returns. */
export const keyedList = (json: JsonSql, rows: string): string =>
  `select '{' || coalesce(${json.joined('entry')}, '') || '}' as answer, count(*) as number from (${rows}) as entries`

/** A row of a table with its name in the query. */
export const rowText = (json: JsonSql, table: TableName, name: string): string =>
  json.object(specifiedColumns(table), name)

/** An object without its closing brace, so that members can be added. Its last member is not an object. */
export const open = (object: string): string => `rtrim(${object}, '}')`

/** A whole row, with the sport's part if the table has one. */
export function rowEntry(table: TableName): Entry {
  if (!isLined(table)) return (json) => rowText(json, table, FOUND)
  const line = `${FOUND}.line`
  return (json) => `${open(rowText(json, table, FOUND))} || ${sportMember(json, table)}
    || case when ${line} is null or ${line} = '{}' then '}' else ',' || substr(${line}, 2) end`
}

/** The column that names the sport's part, if the organization's sport is known. */
function sportMember(json: JsonSql, table: TableName): string {
  const key = sportKeyOf(table)
  if (!key) return `''`
  const sport = `(select sport from league where league.organization_id = ${FOUND}.organization_id limit 1)`
  const name = `replace('${key}', 'sport', ${sport})`
  return `coalesce(',"' || ${name} || '":' || ${json.value(`${FOUND}.${key}`)}, '')`
}

/** The conditions of one request: SQL with `?` for each value. */
export interface Conditions {
  readonly text: string
  readonly values: readonly (string | number)[]
}

/** All filters, any value of each. */
export function conditionsOf({ kinds, column }: Template, filters: Arguments): Conditions {
  const values: (string | number)[] = []
  let text = ''
  for (const [name, list] of filters) {
    const part = oneOf(column(name), kinds[name] ?? 'text', list, values)
    text = text === '' ? part : `${text} and ${part}`
  }
  return { text: text === '' ? '1 = 1' : text, values }
}

function oneOf(column: string, kind: Kind, list: Values, values: (string | number)[]): string {
  const days = kind === 'timestamp' ? list.filter(isDay) : []
  if (days.length === 0) return isIn(column, list, values)
  const [first, end] = rangeOf(days)
  values.push(first, end)
  const range = `${column} >= ? and ${column} < ?`
  const onDays = days.length === 1 ? range : `${range} and ${isIn(`substr(${column}, 1, 10)`, days, values)}`
  const others = list.filter((value) => !isDay(value))
  return others.length === 0 ? `(${onDays})` : `(${onDays} or ${isIn(column, others, values)})`
}

/** Pads a list to a power of two, so that lists of all lengths share a few prepared statements. */
function isIn(column: string, list: Values, values: (string | number)[]): string {
  const [first] = list
  if (first === undefined) return '1 = 0'
  values.push(...list)
  if (list.length === 1) return `${column} = ?`
  const length = 2 ** Math.ceil(Math.log2(list.length))
  for (let nth = list.length; nth < length; nth++) values.push(first)
  return `${column} in (${marksOf(length)})`
}

const marksOf = (count: number) => `?${', ?'.repeat(count - 1)}`
