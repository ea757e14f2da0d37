import { tokensIn } from '../../money/usage-header.ts'
import { isRandomized } from '../exchange.ts'
import type { Listed } from '../recorded-list.ts'
import type { Recorded } from '../../wire/not-recorded.ts'

/** A recorded line, what its call asked for, and the values whose rows are taken from it. */
export interface RecordedPart {
  readonly line: Recorded
  readonly listed: Listed
  readonly values: readonly string[]
}

/** A row of an answer, its key (null in a list of rows), and the value of the call that it belongs to. */
interface OwnedRow {
  readonly key: string | null
  readonly row: object
  readonly value: string
}

type Joined = Pick<Recorded, 'status' | 'headers' | 'body' | 'bytes'>

/**
 * One answer with the rows that these values have in the recorded answers. Its bill is each answer's part in
 * proportion to the bytes of the rows taken from it. It is randomized if one of them is. Null if an answer's
 * rows do not tell what they belong to.
 */
export function joined(parts: readonly RecordedPart[]): Joined | null {
  const taken: OwnedRow[] = []
  let [tokens, bytes]: [number | undefined, number] = [0, 0]
  let quality: Joined['headers'][string]
  for (const { line, listed, values } of parts) {
    const rows = rowsOf(line, listed)
    if (!rows) return null
    const wanted = new Set(values)
    const own = rows.filter(({ value }) => wanted.has(value))
    const share = own.length === 0 ? 0 : lengthOf(own) / lengthOf(rows)
    const billed = tokensIn(line.headers['x-request-usage'])
    tokens = tokens === undefined || billed === undefined ? undefined : tokens + billed * share
    bytes += line.bytes * share
    if (quality === undefined || isRandomized(line)) quality = line.headers['x-data-quality']
    taken.push(...own)
  }
  const headers = {
    'content-type': 'application/json',
    ...(tokens !== undefined && { 'x-request-usage': String(roundedUp(tokens)) }),
    ...(quality !== undefined && { 'x-data-quality': quality }),
  }
  return { status: 200, headers, body: textOf(taken), bytes: Math.round(bytes) }
}

/** Whether each row of an answer tells which of the listed values it belongs to. False if it is an error. */
export const rowsTellTheirValues = (line: Recorded, listed: Listed): boolean => rowsOf(line, listed) !== null

/** The rows of an answer; null if it is an error, or if a row does not tell which value it belongs to. */
function rowsOf({ status, body }: Recorded, { name, values }: Listed): readonly OwnedRow[] | null {
  const content = status === 200 ? parsed(body) : undefined
  if (content === null) return []
  if (typeof content !== 'object' || Object.hasOwn(content, 'error')) return null
  const entries: readonly (readonly [string | null, unknown])[] = Array.isArray(content)
    ? content.map((row) => [null, row] as const)
    : Object.entries(content)
  const asked = new Set(values)
  const rows: OwnedRow[] = []
  for (const [key, row] of entries) {
    if (typeof row !== 'object' || row === null) return null
    const own = (row as Readonly<Record<string, unknown>>)[name] ?? key // an object
    if (own === null) return null
    // Some services write ids in capitals.
    const value = asked.has(String(own)) ? String(own) : String(own).toLowerCase()
    if (!asked.has(value)) return null
    rows.push({ key, row, value })
  }
  return rows
}

function parsed(body: string): object | null | undefined {
  try {
    const content: unknown = JSON.parse(body)
    return typeof content === 'object' ? content : undefined
  } catch {
    return undefined
  }
}

const lengthOf = (rows: readonly OwnedRow[]): number =>
  rows.reduce((sum, { row }) => sum + JSON.stringify(row).length, 0)

/** The next whole number. Shares of a whole may add up to slightly more than it. */
const roundedUp = (tokens: number): number => Math.ceil(tokens - 1e-6)

const textOf = (rows: readonly OwnedRow[]): string =>
  rows.some(({ key }) => key === null)
    ? JSON.stringify(rows.map(({ row }) => row))
    : JSON.stringify(Object.fromEntries(rows.map(({ key, row }) => [key, row])))
