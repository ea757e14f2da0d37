/** A JSON object of the service. */
export type Json = Record<string, unknown>

/** The rows of an answer keyed by id, or of an answer that is one row. */
export const rowsIn = (body: Json): Json[] => Object.values(body) as Json[] // every value is a row

/** A column with a key. */
export const keyIn = (row: Json, column: string): string => String(row[column])

export const keysIn = (rows: readonly Json[], column: string): string[] => [
  ...new Set(rows.flatMap((row) => (typeof row[column] === 'string' ? [row[column]] : []))),
]
