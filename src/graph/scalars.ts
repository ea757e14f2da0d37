import type { Kind } from '../specification/columns.ts'
import { builder } from './builder.ts'

builder.scalarType('DateTime', {
  description: 'A point in time, ISO 8601 in UTC with milliseconds: `2026-01-31T19:30:00.000Z`.',
  serialize: (value) => value,
  parseValue: (value) => parse(value, (text) => new Date(text).toISOString()),
})

builder.scalarType('Date', {
  description: 'A day, `YYYY-MM-DD`.',
  serialize: (value) => value,
  parseValue: (value) => parse(value, parseDay),
})

builder.scalarType('JSONObject', {
  description: 'A JSON object, as the service sent it.',
  serialize: (value) => value,
})

function parse(value: unknown, read: (text: string) => string): string {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value)))
    throw new TypeError(`${JSON.stringify(value)} is not a date.`)
  return read(value)
}

function parseDay(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || new Date(text).toISOString().slice(0, 10) !== text)
    throw new TypeError(`${JSON.stringify(text)} is not a day of the form YYYY-MM-DD.`)
  return text
}

/** The scalar of a kind of column. */
export const scalarOf = {
  key: 'ID',
  text: 'String',
  integer: 'Int',
  number: 'Float',
  flag: 'Boolean',
  timestamp: 'DateTime',
  day: 'Date',
} as const satisfies Record<Kind, string>
