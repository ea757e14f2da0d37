import { request } from 'undici'

/** A JSON object as it comes from the service. */
export type Json = Record<string, unknown>

export interface Reply {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
  readonly body: Json
  /** Tokens, from x-request-usage. */
  readonly usage: number
}

export type Arguments = Record<string, unknown>

/** A running service, known by its address and a key alone. */
export function clientOf(url: string, key: string | undefined) {
  const headers = key === undefined ? {} : { 'x-api-key': key }
  return {
    get: (operation: string, given: Arguments = {}) =>
      send(`${url}/${operation}?${queryOf(given)}`, { method: 'GET', headers }),
    post: (operation: string, given: Arguments = {}) => {
      const [className, functionName] = operation.split('/')
      const body = JSON.stringify({ class: className, function: functionName, arguments: given })
      return send(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
    },
    raw: (body: string) =>
      send(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }),
    path: (path: string) => send(`${url}${path}`, { method: 'GET', headers }),
  }
}

export type Client = ReturnType<typeof clientOf>

function queryOf(given: Arguments): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given))
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
  return query.toString()
}

async function send(url: string, options: Parameters<typeof request>[1]): Promise<Reply> {
  const { statusCode, headers, body } = await request(url, options)
  const text = await body.text()
  // Every answer of the service is a JSON object, which the tests inspect.
  return {
    status: statusCode,
    headers,
    text,
    body: JSON.parse(text) as Json,
    usage: Number(headers['x-request-usage']),
  }
}

/** The object under a key of an answer. */
export const within = (body: Json, ...path: string[]): Json =>
  path.reduce((value, key) => value[key] as Json, body) // the test fails where there is no object

/** The code of an error body; undefined for a success. */
export const codeOf = ({ body }: Reply): unknown =>
  Object.hasOwn(body, 'error') ? within(body, 'error')['code'] : undefined
