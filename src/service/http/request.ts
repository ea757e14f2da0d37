import type { IncomingMessage } from 'node:http'
import type { Call } from '../answer.ts'
import { Refusal } from '../refusal.ts'
import { readBody } from './body.ts'

/** The version prefix of the service's address (specification §9). */
export const PREFIX = '/v1'

/** The request as a call, in both styles (specification §1). */
export function readCall(request: IncomingMessage): Call | Promise<Call> {
  const [path = '', query = ''] = split(request.url ?? '', '?')
  const route = path.startsWith(`${PREFIX}/`)
    ? path.slice(PREFIX.length + 1)
    : path === PREFIX
      ? ''
      : undefined
  if (route === undefined)
    throw new Refusal('unknown_operation', `Unknown address. Operations are under ${PREFIX}.`)
  if (request.method === 'GET') return fromPath(route, query)
  if (request.method === 'POST' && route === '') return readBody(request).then(fromBody)
  throw new Refusal(
    'malformed_request',
    `Send GET ${PREFIX}/<class>/<function>, or POST ${PREFIX} with a JSON body.`,
  )
}

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at)
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}

function fromPath(route: string, query: string): Call {
  const [className = '', functionName = '', ...rest] = route.split('/')
  if (className === '' || functionName === '' || rest.length > 0)
    throw new Refusal('malformed_request', `The address has the form ${PREFIX}/<class>/<function>.`)
  return { class: className, function: functionName, arguments: valuesOf(query) }
}

function valuesOf(query: string): Map<string, string[]> {
  const given = new Map<string, string[]>()
  for (const [name, value] of encoded.test(query) ? new URLSearchParams(query) : plainPairs(query)) {
    const values = given.get(name)
    if (values) values.push(value)
    else given.set(name, [value])
  }
  return given
}

const encoded = /[%+]/

/** The same result as URLSearchParams for a query without encoded characters, several times as fast. */
function plainPairs(query: string): [string, string][] {
  if (query === '') return []
  const pairs = query.split('&').filter((part) => part !== '')
  return pairs.map((part) => split(part, '='))
}

function fromBody(text: string): Call {
  const body = objectOf(parsed(text), 'The body')
  const [className, functionName] = [body['class'], body['function']]
  if (typeof className !== 'string' || typeof functionName !== 'string')
    throw new Refusal('malformed_request', 'The body takes the text fields class and function.')
  const given = Object.hasOwn(body, 'arguments') ? objectOf(body['arguments'], 'The field arguments') : {}
  const values = Object.entries(given).map(([name, value]): [string, unknown[]] => [
    name,
    Array.isArray(value) ? value : [value],
  ])
  return { class: className, function: functionName, arguments: new Map(values) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('malformed_request', 'The body is not JSON.')
  }
}

function objectOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('malformed_request', `${what} is not a JSON object.`)
  return value as Record<string, unknown> // an object that is no array
}
