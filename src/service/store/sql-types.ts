import type { Kind } from '../../specification/columns.ts'

/** The type of a column on both databases. */
export type SqlType = 'text' | 'integer' | 'bigint' | 'double precision'

export const sqlTypes: Readonly<Record<Kind, SqlType>> = {
  key: 'text',
  text: 'text',
  timestamp: 'text',
  day: 'text',
  flag: 'integer',
  integer: 'bigint',
  number: 'double precision',
}
