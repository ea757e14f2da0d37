import { BadUserInputError } from '../upstream/errors.ts'
import type { Limits } from '../money/allowance.ts'
import { Request, unknownClient } from '../upstream/request.ts'
import type { Upstream } from '../upstream/world.ts'

/** Whom a server bills, and within which limits. */
export interface Billing {
  readonly upstream: Upstream
  /** The key that every call is sent with; null where each client brings its own in `X-API-KEY`. */
  readonly apiKey: string | null
  /** What any one request may cost. */
  readonly queryLimits?: Limits | undefined
}

export type Header = (name: string) => string | null | undefined
type Extensions = Readonly<Record<string, unknown>> | null | undefined

/** A longer name is cut: it is kept and logged. */
const longestName = 64

/** The request of a client, with the key, the name and the limits that it comes with. */
export const requestOf = (billing: Billing, header: Header, extensions: Extensions) =>
  new Request(billing.upstream.worldOf(keyOf(billing, header)), {
    client: clientName(header),
    limits: limitsOf(extensions, billing.queryLimits),
  })

/** The key that the calls of a request are sent with. */
export const keyOf = ({ apiKey }: Pick<Billing, 'apiKey'>, header: Header): string =>
  apiKey ?? header('x-api-key')?.trim() ?? ''

/** The name that a client gives itself, in the header of the contract or in Apollo's. */
export function clientName(header: Header): string {
  const given = header('graphql-client-name') || header('apollographql-client-name')
  if (!given) return unknownClient
  return (
    given
      .replaceAll(/[^\x20-\x7e]/g, '')
      .trim()
      .slice(0, longestName) || unknownClient
  )
}

/** The stricter of what the server allows and what the request asks for. */
function limitsOf(extensions: Extensions, server: Limits | undefined): Limits {
  const { maxTokens = null, maxCalls = null } = server ?? {}
  const asked = extensions?.['maxTokens']
  if (typeof asked !== 'number') return { maxTokens, maxCalls }
  return { maxTokens: maxTokens === null ? asked : Math.min(asked, maxTokens), maxCalls }
}

/** What is wrong with the limits that a request asks for; null where nothing is. */
export function faultOfLimits(extensions: Extensions): BadUserInputError | null {
  const asked = extensions?.['maxTokens']
  if (asked === undefined || asked === null || (typeof asked === 'number' && asked >= 0)) return null
  return new BadUserInputError('extensions.maxTokens must be a number of tokens.')
}
