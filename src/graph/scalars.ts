import { GraphQLError, valueFromASTUntyped } from 'graphql'
import type { ValueNode } from 'graphql'
import type { Kind } from '../specification/columns.ts'
import { builder } from './builder.ts'

builder.scalarType('DateTime', {
  description: 'A point in time, ISO 8601 in UTC with milliseconds: `2026-01-31T19:30:00.000Z`.',
  serialize: (value) => value,
  parseValue: (value) => parseMoment(value),
  parseLiteral: (node) => parseMoment(valueFromASTUntyped(node), node),
})

builder.scalarType('Date', {
  description: 'A day, `YYYY-MM-DD`.',
  serialize: (value) => value,
  parseValue: (value) => parseDay(value),
  parseLiteral: (node) => parseDay(valueFromASTUntyped(node), node),
})

builder.scalarType('JSONObject', {
  description: 'A JSON object, as the service sent it.',
  serialize: (value) => value,
})

function parseMoment(value: unknown, node?: ValueNode): string {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) throw wrong(value, 'is not a date', node)
  return new Date(value).toISOString()
}

function parseDay(value: unknown, node?: ValueNode): string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value))
    throw wrong(value, 'is not a date of the form YYYY-MM-DD', node)
  const at = Date.parse(value)
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== value)
    throw wrong(value, 'is not a date: there is no such day', node)
  return value
}

/** The fault of a query. An error of any other class would be an internal one. */
const wrong = (value: unknown, fault: string, node: ValueNode | undefined) =>
  new GraphQLError(`${JSON.stringify(value)} ${fault}.`, { nodes: node })

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
