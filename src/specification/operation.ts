import { sportColumns, tables } from './tables.ts'
import type { TableName } from './tables.ts'

/** An operation of the specification (§4), and what is known of it before it has answered. */
export interface Operation {
  readonly class: string
  readonly function: string
  readonly arguments: readonly string[]
  /** The argument that takes several ids, if there is one. */
  readonly batch?: string
  /** The table of its rows. */
  readonly yields: TableName | 'search'
  /** `row`: one flat object; `rows`: an object of rows by id. */
  readonly answer: 'row' | 'rows'
  /** Its rows have the table's ids but other numbers, and are stored apart. */
  readonly separate?: true
  /** The column with the keys of its rows, if they may have the ids of other rows of the table. */
  readonly keyedBy?: string
  /** The columns of `yields` that it supplies; all columns by default. */
  readonly columns?: readonly string[]
  /** Whether it reads rows by key alone: many, or one. */
  readonly byKey?: 'many' | 'one'
  /**
   * Rows of other tables that are nested in each row: both teams, the game, or the prediction and current
   * odds.
   */
  readonly nests?: 'teams' | 'game' | 'lines'
  /** Estimated bytes of one row, by the specification's columns. Used until an answer has been seen. */
  readonly rowBytes: number
  /**
   * Estimated rows for each id, or for each call without ids, by the form of the call. Used until an answer
   * has been seen; 1 by default.
   */
  readonly rows?: Readonly<Record<string, ExpectedRows>>
}

/**
 * The expected number of rows, the factor by which it may be smaller or larger, and the number for each
 * conference, if it grows with the division. It is used once the division's conferences are known.
 */
export type ExpectedRows = readonly [rows: number, doubt: number, ofConference?: number]

/** The value of an argument; an array for several values. */
export type Argument = string | number | readonly string[]
export type Arguments = Readonly<Record<string, Argument>>

/** An argument's values, one or several. */
export const several = (value: Argument): readonly (string | number)[] =>
  typeof value === 'object' ? value : [value]

/** Arguments without those that have no value. */
export function argumentsOf(values: Readonly<Record<string, Argument | null | undefined>>): Arguments {
  const given: Record<string, Argument> = {}
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== null) given[name] = value
  return given
}

/** The arguments that name a league. */
export const league = ['organization_id', 'division_id'] as const

const names = new WeakMap<Operation, string>()

/** The name of an operation in calls and plans: `team/read`. */
export function nameOf(operation: Operation): string {
  let name = names.get(operation)
  if (name === undefined) names.set(operation, (name = `${operation.class}/${operation.function}`))
  return name
}

/** Names a call, whatever the order of its arguments. */
export const callName = (operation: Operation, values: Arguments): string =>
  `${nameOf(operation)} ${JSON.stringify(values, Object.keys(values).toSorted())}`

/** The number of ids in a call. */
export function idsOf({ batch }: Operation, values: Arguments): number {
  const ids = batch === undefined ? undefined : values[batch]
  if (typeof ids === 'object') return ids.length
  let most = 1
  for (const name in values) {
    const value = values[name]
    if (typeof value === 'object') most = Math.max(most, value.length)
  }
  return most
}

/** The argument with the most values; undefined if none has several. */
export function longestList(values: Arguments): readonly [name: string, list: readonly string[]] | undefined {
  let longest: readonly [string, readonly string[]] | undefined
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'object' && value.length > (longest?.[1].length ?? 0)) longest = [name, value]
  return longest
}

/**
 * The form of a call: its arguments without their values and without the league, for example `season
 * team_id`. The number of rows depends on it.
 */
export function formOf(values: Arguments): string {
  const names: string[] = []
  for (const name in values) if (name !== league[0] && name !== league[1]) names.push(name)
  return names.length < 2 ? (names[0] ?? '') : names.toSorted().join(' ')
}

/** The columns of its table that an operation supplies. If an answer lacks one, its value is null. */
export function suppliedBy(operation: Operation): ReadonlySet<string> {
  let columns = supplied.get(operation)
  if (!columns) {
    columns = new Set(operation.columns ?? (operation.yields === 'search' ? [] : columnsOf(operation.yields)))
    supplied.set(operation, columns)
  }
  return columns
}

/** A table's columns, with those of all sports. */
function columnsOf(table: TableName): readonly string[] {
  const parts = Object.entries(sportColumns).filter(([name]) => name.split('_').slice(1).join('_') === table)
  return [...Object.keys(tables[table]), ...parts.flatMap(([, columns]) => Object.keys(columns))]
}

const supplied = new WeakMap<Operation, ReadonlySet<string>>()
