import type { Operation } from '../../../src/specification/operation.ts'
import type { Incoming, Outgoing, Transport } from '../../../src/wire/transport.ts'
import type { Json } from '../client.ts'

/** A request as a service reads it, in either style: every value in a list. */
export interface Asked {
  readonly operation: string
  readonly values: Readonly<Record<string, readonly string[]>>
}

/**
 * A service that differs from the specification in a point that it leaves open: the embedded service behind a
 * proxy function.
 */
export interface Variant {
  readonly name: string
  /** The questions in which the doctor finds it to differ. */
  readonly differs: readonly string[]
  answer(request: Outgoing, service: Transport): Promise<Incoming>
  /**
   * The calls that replace these calls of a service as specified; the same by default. Each is an operation
   * and its number of ids.
   */
  calls?(specified: readonly string[], name: string): readonly string[]
  /** Its data in the words of the specification, where it has others. */
  specified?(text: string): string
  /** Whether its data has to equal that of the service as specified. If not, a clear error is enough. */
  readonly isWhole?: false
}

export function read({ path, body }: Pick<Outgoing, 'path' | 'body'>): Asked {
  if (body !== undefined) {
    const { class: table, function: name, arguments: given } = JSON.parse(body)
    const lists = Object.entries(given as Json).map(([key, value]) => [key, [value].flat().map(String)])
    return { operation: `${table}/${name}`, values: Object.fromEntries(lists) }
  }
  const [operation = '', query = ''] = path.slice(1).split('?')
  const parameters = new URLSearchParams(query)
  const names = [...new Set(parameters.keys())]
  return { operation, values: Object.fromEntries(names.map((name) => [name, parameters.getAll(name)])) }
}

/** The request with other arguments, as the embedded service takes it. */
export function withValues(request: Outgoing, { operation, values }: Asked): Outgoing {
  const [table, name] = operation.split('/')
  const { path: _path, body: _body, method: _method, ...rest } = request
  const body = JSON.stringify({ class: table, function: name, arguments: values })
  return { ...rest, method: 'POST', path: '', body }
}

/** An answer with another body, at the price of its bytes. */
export function withBody(answer: Incoming, body: unknown, more: Partial<Incoming> = {}): Incoming {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const bytes = Buffer.byteLength(text)
  const usage = { 'x-request-usage': String(isError(answer) ? 0 : Math.max(1, Math.ceil(bytes / 1024))) }
  return { ...answer, body: text, bytes, headers: { ...answer.headers, ...usage }, ...more }
}

export const isError = ({ body }: Incoming) => body.startsWith('{"error"')
export const isEmpty = ({ body }: Incoming) => body === '{}'

/** An error as the embedded service has it, at no cost. */
export const refused = (message: string, status = 200): Incoming => {
  const body = JSON.stringify({ error: { code: 'invalid_argument', message } })
  return { status, headers: { 'x-request-usage': '0' }, body, bytes: Buffer.byteLength(body) }
}

/** Every value of an answer's rows, changed; nested rows too. */
export function eachValue(
  value: unknown,
  change: (name: string, value: unknown) => unknown,
  name = '',
): unknown {
  if (Array.isArray(value)) return value.map((one) => eachValue(one, change, name))
  if (typeof value !== 'object' || value === null) return change(name, value)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, eachValue(one, change, key)]))
}

/** A variant that changes only the bodies of answers. Errors stay. */
export const changed = (
  name: string,
  differs: readonly string[],
  change: (body: Json, operation: Operation) => unknown,
): Variant => ({
  name,
  differs,
  async answer(request, service) {
    const answer = await service(request)
    if (isError(answer)) return answer
    // Whatever the service answers is an object.
    return withBody(answer, change(JSON.parse(answer.body) as Json, request.operation))
  },
})

/** Calls of several ids as one for each. */
export const singly = (specified: readonly string[]): readonly string[] => cut(specified, 1)

/** Calls of more ids than a call may have as several. */
export const cut = (specified: readonly string[], most: number): readonly string[] =>
  specified
    .flatMap((line) => {
      const [operation = '', ids = '1'] = line.split(' ')
      const count = Math.ceil(Number(ids) / most)
      return Array.from(
        { length: count },
        (_, nth) => `${operation} ${Math.min(most, Number(ids) - nth * most)}`,
      )
    })
    .toSorted()

/** The games of the sample team's season. They are found by their scores and then read by their ids. */
const gamesOfSeason = 28

/**
 * The calls for a team's season of games if it cannot be read by team and season. Results need only the
 * scores.
 */
export function seasonByScores(specified: readonly string[], name: string): readonly string[] {
  const [first, second] = specified.flatMap((line, nth) => (line === 'game/read 1' ? [nth] : []))
  if (second === undefined) return specified
  const others = specified.filter(
    (line, nth) => nth !== first && nth !== second && line !== 'game/getScores 1',
  )
  const rows = name === 'season: results' ? [] : [`game/read ${gamesOfSeason}`]
  return [...others, 'game/getScores 1', 'game/getScores 1', ...rows].toSorted()
}
