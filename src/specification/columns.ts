/**
 * The kind of a column in the service's JSON. Flags are 0 or 1, timestamps ISO 8601 in UTC, a day is a
 * timestamp at midnight (specification §1).
 */
export type Kind = 'key' | 'text' | 'integer' | 'number' | 'flag' | 'timestamp' | 'day'

export interface Column {
  readonly kind: Kind
  /** Product text: unit, range, when null. */
  readonly description: string
  /** The table to which a foreign key refers. */
  readonly references?: string
  /** The GraphQL field, if it is not the column's camelCase name. */
  readonly field?: string
}

export type Columns = Readonly<Record<string, Column>>

/** A value in a row. */
export type Value = string | number | null

interface ValueOf {
  key: string
  text: string
  timestamp: string
  day: string
  integer: number
  number: number
  flag: number
}

/** A complete row of a table as the service stores it: all columns, null without a value. */
export type RowOf<C extends Columns> = { -readonly [K in keyof C]: ValueOf[C[K]['kind']] | null }

const of =
  <K extends Kind>(kind: K) =>
  (description: string, more: { field?: string } = {}) =>
    ({ kind, description, ...more }) as const

export const text = of('text')
export const integer = of('integer')
export const number = of('number')
export const flag = of('flag')
export const timestamp = of('timestamp')
export const day = of('day')
export const key = of('key')

/** A column with the key of another table's row. */
export const foreign = <T extends string>(references: T, description: string) =>
  ({ kind: 'key', description, references }) as const

/** Number columns with these names. */
export const numbers = <N extends string>(names: readonly N[], describe: (name: N) => string) =>
  Object.fromEntries(names.map((name) => [name, number(describe(name))])) as unknown as {
    // Object.fromEntries loses the type of the keys, which are the given names.
    readonly [K in N]: { readonly kind: 'number'; readonly description: string }
  }
