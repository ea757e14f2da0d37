import type { Choices } from '../capabilities/choices.ts'
import { nameOf, several } from '../specification/operation.ts'
import type { Argument, Arguments, Operation } from '../specification/operation.ts'
import type { Deadline } from './deadline.ts'
import type { Outgoing } from './transport.ts'

/** The differences between services in how calls are encoded. */
export type Encoding = Pick<Choices, 'values' | 'mayPost' | 'addressLength' | 'areIdsUpper' | 'isGzipCheaper'>

/**
 * A call as an HTTP request: GET with repeated parameters, or POST if that would be too long (specification
 * §1), unless the service was found to need something else.
 */
export function encode(
  operation: Operation,
  values: Arguments,
  apiKey: string,
  deadline: Deadline,
  encoding: Encoding,
): Outgoing {
  const gzip = encoding.isGzipCheaper && { gzip: true as const }
  const asked = { operation, arguments: values, apiKey, deadline }
  const sent = encoding.areIdsUpper || encoding.values === 'comma list' ? written(values, encoding) : values
  const path = pathOf(operation, sent)
  if (path.length <= encoding.addressLength || !encoding.mayPost)
    return { method: 'GET', path, ...asked, ...gzip }
  const body = JSON.stringify({ class: operation.class, function: operation.function, arguments: sent })
  return { method: 'POST', path: '', body, ...asked, ...gzip }
}

/** The path and query of a GET, relative to the service's address. */
export const pathOf = (operation: Operation, values: Arguments): string =>
  `/${nameOf(operation)}${query(values)}`

function query(values: Arguments): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    several(value).map((one) => [name, String(one)] satisfies [string, string]),
  )
  const text = new URLSearchParams(pairs).toString()
  return text && `?${text}`
}

/** Arguments for services with ids in upper case, or with several values in one. */
function written(values: Arguments, { areIdsUpper, values: how }: Encoding): Arguments {
  const entries = Object.entries(values).map(([name, value]): [string, Argument] => {
    const all = several(value).map((one) => (areIdsUpper && isId(one) ? String(one).toUpperCase() : one))
    const [first = ''] = all
    if (typeof value !== 'object') return [name, first]
    return [name, how === 'comma list' ? all.join(',') : all.map(String)]
  })
  return Object.fromEntries(entries)
}

const isId = (value: unknown) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(value))
