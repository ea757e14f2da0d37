import type { Kind } from '../../specification/columns.ts'
import { Refusal } from '../refusal.ts'
import type { Accepted, Arguments, Operation, Values } from './operation.ts'

/** What a request may pass for an argument: over GET strings, over POST any JSON. */
export type RawArguments = ReadonlyMap<string, readonly unknown[]>

/** Values in one request, all arguments together: more would be more than a database takes as parameters. */
const MAX_VALUES = 10_000

/** The arguments of a request, each of its kind. A name that the operation does not know is refused. */
export function readArguments(operation: Operation, raw: RawArguments): Arguments {
  const given = new Map<string, Values>()
  let count = 0
  for (const [name, values] of raw) {
    count += values.length
    if (count > MAX_VALUES)
      throw new Refusal('invalid_argument', `More than ${MAX_VALUES} values in one request.`)
    given.set(name, readValues(operation.accepts, name, values))
  }
  for (const required of operation.requires ?? []) demand(given, required)
  return given
}

function readValues(accepts: Accepted, name: string, values: readonly unknown[]): Values {
  const kind = Object.hasOwn(accepts, name) ? accepts[name] : undefined
  if (!kind) throw new Refusal('invalid_argument', `Unknown argument ${quoted(name)}.`)
  if (values.length === 1) return [readValue(name, kind, values[0])]
  return [...new Set(values.map((value) => readValue(name, kind, value)))]
}

function demand(given: Arguments, required: NonNullable<Operation['requires']>[number]): void {
  if (typeof required === 'string' && given.has(required)) return
  const ways = typeof required === 'string' ? [[required]] : required
  if (ways.some((names) => names.every((name) => given.has(name)))) return
  const words = ways.map((names) => names.join(' with ')).join(', or ')
  throw new Refusal('missing_argument', `Missing argument: ${words}.`)
}

const readers: Readonly<Record<Kind, (value: string | number) => string | number | undefined>> = {
  key: (value) => String(value).toLowerCase(),
  text: (value) => String(value),
  integer: (value) => numeral(value, /^-?\d{1,15}$/),
  number: (value) => numeral(value, /^-?\d{1,15}(\.\d{1,15})?$/),
  flag: (value) => (value === 0 || value === '0' ? 0 : value === 1 || value === '1' ? 1 : undefined),
  day: (value) => moment(value),
  timestamp: (value) => (isDay(value) ? moment(value) && value : moment(value)),
}

const expected: Readonly<Record<Kind, string>> = {
  key: 'an id',
  text: 'a text',
  integer: 'an integer',
  number: 'a number',
  flag: '0 or 1',
  day: 'a day, YYYY-MM-DD',
  timestamp: 'a day, YYYY-MM-DD, or a timestamp, YYYY-MM-DDTHH:MM:SS.000Z',
}

function readValue(name: string, kind: Kind, value: unknown): string | number {
  const plain = kind === 'flag' && typeof value === 'boolean' ? Number(value) : value
  const usable =
    typeof plain === 'number' ? Number.isFinite(plain) : typeof plain === 'string' && !plain.includes('\0')
  // A usable value is a string or a finite number, by the line above.
  const read = usable ? readers[kind](plain as string | number) : undefined
  if (read === undefined)
    throw new Refusal('invalid_argument', `Argument ${quoted(name)} takes ${expected[kind]}.`)
  return read
}

function numeral(value: string | number, form: RegExp): number | undefined {
  return form.test(String(value)) ? Number(value) : undefined
}

const dayForm = /^\d{4}-\d\d-\d\d$/
const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** Whether a timestamp's filter names a whole day. */
export const isDay = (value: string | number): value is string => dayForm.test(String(value))

function moment(value: string | number): string | undefined {
  const text = String(value)
  if (!dayForm.test(text) && !timestampForm.test(text)) return undefined
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return undefined
  // Date takes 30 February for 2 March.
  return isDay(text) && !at.toISOString().startsWith(text) ? undefined : at.toISOString()
}

const quoted = (name: string) => JSON.stringify(name.slice(0, 60))
