import type { Columns, Kind } from '../specification/columns.ts'
import type { Operation } from '../specification/operation.ts'
import { sportColumns, tables } from '../specification/tables.ts'
import { isNumeral, isUpper, isZoneless } from './questions/values.ts'
import type { RawRow } from '../specification/raw-row.ts'

/** What a service writes in another form than specified. */
export interface Conversions {
  readonly numbers: boolean
  readonly ids: boolean
  readonly timestamps: boolean
  readonly lists: boolean
}

/** Kinds by column name. A column name means the same in every table. */
const kinds = new Map<string, Kind>(
  [...Object.values<Columns>(tables), ...Object.values<Columns>(sportColumns)].flatMap((columns) =>
    Object.entries(columns).map(([name, { kind }]) => [name, kind] as const),
  ),
)
// Columns that a search adds to rows.
for (const name of ['begin', 'end', 'relevance_score']) kinds.set(name, 'integer')

const isObject = (value: unknown): value is RawRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Converts an answer into the specified form. The object structure stays. */
export function asSpecified(operation: Operation, body: RawRow, how: Conversions): RawRow {
  // The specification does not list most statistics. All of them are numbers.
  const others = /ranking$|boxscore$/.test(operation.yields) ? 'number' : undefined
  return object(body, how, others)
}

function object(row: RawRow, how: Conversions, others: Kind | undefined): RawRow {
  const written: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    const key = how.ids && isUpper(name) ? name.toLowerCase() : name
    const isTeams = how.lists && name === 'teams' && Array.isArray(value) && row['game_id'] !== undefined
    written[key] = isTeams
      ? object(keyedBy(value, 'team_id'), how, others)
      : converted(name, value, how, others)
  }
  return written
}

function converted(name: string, value: unknown, how: Conversions, others: Kind | undefined): unknown {
  if (isObject(value)) return object(value, how, others)
  if (Array.isArray(value)) return value.map((one) => converted(name, one, how, others))
  const kind = kinds.get(name) ?? others
  switch (kind) {
    case 'key':
      return how.ids && isUpper(value) ? String(value).toLowerCase() : value
    case 'integer':
    case 'number':
    case 'flag':
      return how.numbers && isNumeral(value) ? numberOf(value) : value
    case 'timestamp':
    case 'day':
      return how.timestamps && isZoneless(value) ? inUtc(String(value)) : value
    default:
      return value
  }
}

const numberOf = (value: unknown): number =>
  String(value) === 'true' ? 1 : String(value) === 'false' ? 0 : Number(value)

function inUtc(text: string): string {
  const moment = new Date(`${text.replace(' ', 'T')}Z`)
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
}

/** Turns a list of rows into an object keyed by id. A row without the id gets its position as key. */
export function keyedBy(list: readonly unknown[], id: string): RawRow {
  const keyed: Record<string, unknown> = {}
  list.forEach((row, nth) => {
    const key = isObject(row) ? row[id] : undefined
    keyed[typeof key === 'string' || typeof key === 'number' ? key : `row ${nth}`] = row
  })
  return keyed
}
