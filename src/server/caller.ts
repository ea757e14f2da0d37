import { BadUserInputError } from '../errors/errors.ts'
import type { Limits } from '../money/allowance.ts'
import { recordedName } from '../money/client-name.ts'
import { ownText } from '../own-text.ts'
import { ClientRequest, unknownClient } from '../account/client-request.ts'
import type { Upstream } from '../account/upstream.ts'

/** Whom the server bills, and within which limits. */
export interface Billing {
  readonly upstream: Upstream
  /** The key of every call; null if each client brings its own in `X-API-KEY`. */
  readonly apiKey: string | null
  /** Limits of a single request. */
  readonly queryLimits?: Limits | undefined
}

export type Header = (name: string) => string | null | undefined
type Extensions = Readonly<Record<string, unknown>> | null | undefined

/** The request of a client, with its key, name and limits. */
export const requestOf = (billing: Billing, header: Header, extensions: Extensions) =>
  new ClientRequest(billing.upstream.accountOf(keyOf(billing, header)), {
    client: clientName(header),
    limits: limitsOf(extensions, billing.queryLimits),
    maxAge: maxAgeOf(extensions),
  })

/** The key with which a request's calls are sent. */
export const keyOf = ({ apiKey }: Pick<Billing, 'apiKey'>, header: Header): string =>
  apiKey ?? header('x-api-key')?.trim() ?? ''

/** The client's name, from the header of the contract or from Apollo's. */
export function clientName(header: Header): string {
  const given = header('graphql-client-name') || header('apollographql-client-name')
  return (given && ownText(recordedName(given))) || unknownClient
}

/** The stricter of the server's limits and the request's own. */
function limitsOf(extensions: Extensions, server: Limits | undefined): Limits {
  const { maxTokens = null, maxCalls = null } = server ?? {}
  const asked = extensions?.['maxTokens']
  if (typeof asked !== 'number') return { maxTokens, maxCalls }
  return { maxTokens: maxTokens === null ? asked : Math.min(asked, maxTokens), maxCalls }
}

/**
 * The maximum age of expired rows that the request accepts, in milliseconds; null if it accepts only fresh
 * ones.
 */
function maxAgeOf(extensions: Extensions): number | null {
  const seconds = extensions?.['maxAge']
  return typeof seconds === 'number' ? 1_000 * seconds : null
}

/** The error in what a request asks of the server in `extensions`; null if there is none. */
export function faultOfExtensions(extensions: Extensions): BadUserInputError | null {
  for (const [name, unit] of [
    ['maxTokens', 'tokens'],
    ['maxAge', 'seconds'],
  ] as const) {
    const asked = extensions?.[name]
    if (asked !== undefined && asked !== null && !(typeof asked === 'number' && asked >= 0))
      return new BadUserInputError(`extensions.${name} must be a number of ${unit}.`)
  }
  // Of "Dry" or "yes" it is not clear whether the query may spend anything.
  const explain = extensions?.['explain'] ?? false
  if (typeof explain !== 'boolean' && explain !== 'dry')
    return new BadUserInputError('extensions.explain must be true, false or "dry".')
  return null
}
