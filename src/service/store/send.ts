import type { Pool } from 'pg'

type Value = string | number | boolean | null

/** Sends a statement to a PostgreSQL, one round trip. @returns its rows, each a list of its columns */
export type Send = (text: string, values: readonly (string | number)[]) => Promise<Value[][]>

/** Statements with a name are parsed and planned once on each connection, which keeps them all. Rarer ones are sent whole. */
const MOST_NAMES = 400

export function senderOf(pool: Pool): Send {
  const names = new Map<string, string>()
  return async (text, values) => {
    let name = names.get(text)
    if (name === undefined && names.size < MOST_NAMES) names.set(text, (name = `statline_${names.size}`))
    const named = name === undefined ? {} : { name }
    const { rows } = await pool.query<Value[]>({ ...named, text, values: [...values], rowMode: 'array' })
    return rows
  }
}
