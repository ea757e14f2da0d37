import type { Kind } from '../specification/columns.ts'

const numberIn = (value: unknown): number | null => {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** A flag in any spelling that services use. */
const flagIn = (value: unknown): boolean | null => {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 'false') return value === 'true'
  const number = numberIn(value)
  return number === null ? null : number !== 0
}

/** The service's timestamp format, and the graph's (specification §1). */
const canonical = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** The same, for days that every month has: such a timestamp is valid without further checks. */
const certain = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

const momentIn = (value: unknown): string | null => {
  if (typeof value === 'string' && certain.test(value)) return value
  if (typeof value === 'string' && canonical.test(value) && !Number.isNaN(Date.parse(value))) return value
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

const textIn = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null

/** GraphQL's integers have 32 bits. */
const mostInteger = 2 ** 31 - 1

/** Converts a value of the service into one of the graph; null if it is not of its kind. */
export const convert = {
  key: textIn,
  text: textIn,
  integer: (value: unknown): number | null => {
    const number = Math.trunc(numberIn(value) ?? Number.NaN)
    return Math.abs(number) <= mostInteger ? number : null
  },
  number: numberIn,
  flag: flagIn,
  timestamp: momentIn,
  day: (value: unknown): string | null =>
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? value.slice(0, 10) : null,
} satisfies Readonly<Record<Kind, (value: unknown) => string | number | boolean | null>>
