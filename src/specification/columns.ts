/** What a column holds on the wire. Flags are 0 or 1; timestamps ISO 8601 UTC; a day is a timestamp at midnight (specification §1). */
export type Kind = 'key' | 'text' | 'integer' | 'number' | 'flag' | 'timestamp' | 'day'

export interface Column {
  readonly kind: Kind
  /** Product text: unit, range, when null. */
  readonly description: string
  /** The table whose key this column holds, for a foreign key. */
  readonly references?: string
  /** The column's GraphQL field, where it is not simply its camelCase name. */
  readonly field?: string
}

export type Columns = Readonly<Record<string, Column>>

/** A value as it stands in a row. */
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

/** A whole row of a table, as the service keeps it: every column there, null where it has no value. */
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

/** A column that holds the key of a row of another table. */
export const foreign = <T extends string>(references: T, description: string) =>
  ({ kind: 'key', description, references }) as const

/** The columns of a list of names that are all numbers. */
export const numbers = <N extends string>(names: readonly N[], describe: (name: N) => string) =>
  Object.fromEntries(names.map((name) => [name, number(describe(name))])) as unknown as {
    // Object.fromEntries forgets the keys; they are exactly the names given.
    readonly [K in N]: { readonly kind: 'number'; readonly description: string }
  }
