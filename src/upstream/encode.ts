import { nameOf } from '../specification/operations.ts'
import type { Argument, Arguments, Operation } from '../specification/operations.ts'
import type { Outgoing } from './transport.ts'

/** A query longer than this goes by POST. */
const longestPath = 2000

/** A call as an HTTP request: GET with repeated parameters, or POST where that would be too long (specification §1). */
export function encode(
  operation: Operation,
  values: Arguments,
  apiKey: string,
  signal: AbortSignal,
): Outgoing {
  const asked = { operation, arguments: values, apiKey, signal }
  const path = `/${nameOf(operation)}${query(values)}`
  if (path.length <= longestPath) return { ...asked, method: 'GET', path }
  const body = JSON.stringify({ class: operation.class, function: operation.function, arguments: values })
  return { ...asked, method: 'POST', path: '', body }
}

function query(values: Arguments): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    several(value).map((one) => [name, String(one)] satisfies [string, string]),
  )
  const text = new URLSearchParams(pairs).toString()
  return text && `?${text}`
}

/** An argument's values, one or many. */
export const several = (value: Argument): readonly (string | number)[] =>
  typeof value === 'object' ? value : [value]
