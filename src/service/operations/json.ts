import { keyOf } from '../../specification/tables.ts'
import type { TableName } from '../../specification/tables.ts'
import { storedTables } from '../store/tables.ts'
import type { Found } from './selection.ts'
import { isLined } from './selection.ts'
import type { Context } from './operation.ts'

/** The answer of `get` and `read` if nothing matches. */
export const nothing = '{}'

/** A row as JSON text. */
export async function rowText(context: Context, table: TableName, row: Found | undefined): Promise<string> {
  const [text] = row ? await rowTexts(context, table, [row]) : []
  return text ?? nothing
}

/** Rows as JSON text, keyed by id in the given order. */
export async function rowsText(context: Context, table: TableName, rows: readonly Found[]): Promise<string> {
  const texts = await rowTexts(context, table, rows)
  return keyedText(rows.map((row, nth) => [String(row[keyOf(table)]), texts[nth] ?? nothing]))
}

/**
 * Each row as JSON text. The sport's part is stored as text and copied in: it is most of a row and needs no
 * parsing.
 */
export async function rowTexts(
  context: Context,
  table: TableName,
  rows: readonly Found[],
): Promise<string[]> {
  if (!isLined(table)) return rows.map((row) => JSON.stringify(row))
  const sports = sportKeyOf(table)
    ? await context.sports.of(rows.map((row) => String(row['organization_id'])))
    : undefined
  return rows.map(({ line, ...shared }) => {
    const sport = sports?.get(String(shared['organization_id']))
    return spliced(JSON.stringify({ ...shared, ...sportKey(table, shared, sport) }), String(line ?? nothing))
  })
}

/**
 * An object of JSON texts. Ids keep the given order; an object of JavaScript would move those that look like
 * numbers.
 */
export const keyedText = (entries: readonly (readonly [id: string, text: string])[]): string =>
  `{${entries.map(([id, text]) => `${JSON.stringify(id)}:${text}`).join()}}`

/** Merges two objects, each given as JSON text. */
export function spliced(first: string, second: string): string {
  const [head, tail] = [first.trim().slice(1, -1), second.trim().slice(1, -1)]
  return `{${[head, tail].filter((members) => members !== '').join()}}`
}

/**
 * The column that names the sport's part: `basketball_boxscore_id` beside `sport_boxscore_id` (specification
 * §2).
 */
function sportKey(table: TableName, row: Found, sport: string | undefined): Found {
  const shared = sportKeyOf(table)
  return shared && sport ? { [shared.replace('sport', sport)]: row[shared] ?? null } : {}
}

/** The column with the key of the sport's part; null if the table has none. */
export function sportKeyOf(table: TableName): string | null {
  const record = storedTables[table]
  return 'sport' in record ? record.sport.key : null
}
