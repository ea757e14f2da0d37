import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'

export type RawRow = Record<string, string>

/** A public file as it stands, read without any of the importer’s code. */
export function rawRows(folder: string, name: string): RawRow[] {
  const text = gunzipSync(readFileSync(join(folder, `${name}.csv.gz`)))
  return parse(text, { columns: true }) as RawRow[] // with `columns`, rows are objects of texts
}

export const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** 1 for the largest, by counting those that are larger. */
export const rankAmong = (value: number, values: readonly number[]) =>
  1 + values.filter((other) => other > value).length

export function grouped<R>(rows: readonly R[], keyOf: (row: R) => string): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}
