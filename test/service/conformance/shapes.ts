import { expect } from 'vitest'
import type { Columns, Kind } from '../../../src/specification/columns.ts'
import type { Json } from '../client.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const holds: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  key: (value) => typeof value === 'string' && uuid.test(value),
  text: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: Number.isFinite,
  flag: (value) => value === 0 || value === 1,
  timestamp: (value) => typeof value === 'string' && timestamp.test(value),
  day: (value) => typeof value === 'string' && value.endsWith('T00:00:00.000Z') && timestamp.test(value),
}

/** Every column is there, and holds a value of its kind or null. */
export function expectShape(row: Json, columns: Columns): void {
  const wrong = Object.entries(columns).flatMap(([name, { kind }]) => {
    if (!(name in row)) return [`${name} is missing`]
    return row[name] === null || holds[kind](row[name]) ? [] : [`${name} is no ${kind}: ${String(row[name])}`]
  })
  expect(wrong).toEqual([])
}

/** The columns of names that all hold numbers. */
export const allNumbers = (names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, { kind: 'number', description: name }]))

/** A table's columns but for some. */
export const without = (columns: Columns, ...names: readonly string[]): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => !names.includes(name)))
