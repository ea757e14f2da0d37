import { keyedBy } from '../capabilities/conversions.ts'
import { keyOf } from '../specification/tables.ts'
import type { Operation } from '../specification/operation.ts'
import {
  AccessDeniedError,
  BudgetExceededError,
  RefusedError,
  UnauthenticatedError,
  UnavailableError,
  UnsupportedError,
  UpstreamError,
  deniedByPlan,
} from '../errors/errors.ts'
import type { CodedError } from '../errors/errors.ts'
import { obstacleInAnswer } from './obstacle.ts'
import type { Incoming } from './transport.ts'
import type { RawRow } from '../specification/raw-row.ts'

/** The body of a successful answer: a JSON object without an `error` key (specification §7). */
export type Body = RawRow

/** The result of a call: the keys of its stored rows, in the service's order, and the body. */
export interface Answered {
  readonly keys: readonly string[]
  /** The body if it may be read again, to join answers or to filter rows; otherwise it is empty. */
  readonly body: Body
  /** When it was bought, which decides when its rows expire. */
  readonly boughtAt: number
}

/**
 * Returns the body of an answer, or throws its error. A failed request also has status 200, and the shape of
 * `error` is not shown (§7), so its words decide. `emptyStatus` is the status that means "nothing matched".
 */
export function parseAnswer(answer: Incoming, operation: Operation, emptyStatus: number | null = null): Body {
  if (answer.status === 429 || answer.status >= 500) throw unavailable()
  if (answer.failure) throw answer.failure
  if (isRedirect(answer)) throw new UpstreamError('The statistics service redirects to another address.')
  const obstacle = obstacleInAnswer(answer.status, answer.body)
  if (obstacle) throw new UpstreamError('The statistics service answered with an error.', { cause: obstacle })
  const body = answer.madeUp ?? parse(answer, operation, emptyStatus)
  if (isDeeper(body, deepest))
    throw new UpstreamError('The statistics service sent an answer with too many levels.')
  if (Object.hasOwn(body, 'error')) throw refusal(words(body['error']), answer.status, emptyStatus)
  if (answer.status >= 300) throw refusal(words(body), answer.status, emptyStatus)
  return body
}

/** A redirect is not followed, because its answer may come from another service. */
export const isRedirect = ({ status }: Pick<Incoming, 'status'>) => status >= 300 && status < 400

/**
 * Maximum depth of an answer. Rows with nested rows have five levels. The limit protects recursive functions.
 */
const deepest = 32

function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  // A loop without a list of values: an answer has tens of thousands.
  for (const name in value) {
    const inner: unknown = value[name as keyof typeof value] // its own, from JSON.parse
    if (typeof inner === 'object' && inner !== null && isDeeper(inner, levels - 1)) return true
  }
  return false
}

function parse(answer: Incoming, operation: Operation, emptyStatus: number | null): Body {
  try {
    return bodyIn(answer.body, operation)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    if (answer.status >= 400) throw refusal('', answer.status, emptyStatus)
    throw new UpstreamError('The statistics service sent an answer that is not JSON.')
  }
}

/** Parses the text of an answer. Throws SyntaxError. */
export function bodyIn(text: string, operation: Operation): Body {
  const body: unknown = JSON.parse(text)
  // "Nothing matched" may be {}, [] or null (§7.5).
  if (body === null || (Array.isArray(body) && body.length === 0)) return {}
  if (Array.isArray(body)) return listed(body, operation)
  if (typeof body !== 'object')
    throw new UpstreamError('The statistics service sent an answer of an unknown shape.')
  return body as RawRow // an object that is no array
}

/** Converts a list of rows into an object keyed as specified (§1). */
function listed(list: readonly unknown[], { yields, answer }: Operation): Body {
  const [first] = list
  const isRows = list.every((row) => typeof row === 'object' && row !== null)
  if (yields === 'search' || !isRows || (answer === 'row' && list.length > 1))
    throw new UpstreamError('The statistics service sent an answer of an unknown shape.')
  return answer === 'row' ? (first as RawRow) : keyedBy(list, keyOf(yields)) // an object, by the line above
}

const unavailable = () => new UnavailableError('The statistics service is not available.')
const denied = () => new AccessDeniedError(deniedByPlan)
const unauthenticated = () => new UnauthenticatedError('The statistics service does not accept the API key.')

/**
 * The meaning of an error's words. The order matters: a refused plan may mention keys and tokens, a spent
 * quota plans, and a wrong key trials. "Access denied" is the specification's word for plans (§7).
 */
const kinds: readonly [RegExp, () => CodedError][] = [
  [/access[_ ]denied/i, denied],
  [
    /quota|(token|usage|budget)s?\b.*\b(limit|exceed|exhaust|used up|insufficient)|(limit|exceeded|exhausted|insufficient|out of)\b.*\b(token|usage|budget)/i,
    () => new BudgetExceededError('The API key’s token limit at the statistics service is reached.'),
  ],
  [/(missing|invalid|unknown|wrong)[_ ](x-)?(api[_ -]?)?(key|token)/i, unauthenticated],
  [
    /denied|forbidden|permi(t|ssion)|not (authori[sz]ed|allowed)|subscription|upgrade|\bplan\b|\bpaid\b|trial/i,
    denied,
  ],
  [/api.?key|unauthor|authenticat|credential/i, unauthenticated],
  [/\bunavailable\b|try again later|overloaded|maintenance/i, unavailable],
  [
    /(unknown|unsupported|no such)[_ ](class|function|operation|table)|(class|function|operation|table)\b.*\b(not (exist|supported|known|found)|unknown)/i,
    () => new UnsupportedError('The statistics service does not have this operation.'),
  ],
  [
    /not[_ ]found|no (matching )?(row|result|match|record)|nothing/i,
    () => new NothingFound('Nothing matched.'),
  ],
]

/** The service said that nothing matched. This is an empty answer, not a failure. */
export class NothingFound extends UpstreamError {}

/**
 * Statuses about the method, or the length of the address or the body: they are about how the call was sent.
 */
const sentBadly = new Set([405, 413, 414, 415, 431])

const aboutArguments =
  /argument|parameter|filter|value|invalid|column|field|method|array|list|malformed|bad request|too (long|many|large)/i

/** Only this many characters of an error are read, because patterns over a long text would take minutes. */
const longestError = 1_000

function refusal(whole: string, status: number, emptyStatus: number | null): CodedError {
  const text = whole.slice(0, longestError)
  if (sentBadly.has(status)) return new RefusedError(true, status === 414 || status === 431)
  for (const [pattern, error] of kinds) if (pattern.test(text)) return error()
  if (status === 401) return unauthenticated()
  if (status === 403) return denied()
  const isAboutArguments = status === 400 || aboutArguments.test(text)
  if (status === emptyStatus && !aboutArguments.test(text)) return new NothingFound('Nothing matched.')
  return new RefusedError(isAboutArguments)
}

/** All words of an error of any shape. */
function words(error: unknown, depth = 0): string {
  if (typeof error !== 'object' || error === null) return String(error)
  if (depth > 4) return ''
  return Object.values(error)
    .map((value) => words(value, depth + 1))
    .join(' ')
}
