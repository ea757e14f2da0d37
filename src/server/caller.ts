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

type Header = (name: string) => string | null | undefined
type Extensions = Readonly<Record<string, unknown>> | null | undefined

/** A longer name is cut: it is kept and logged. */
const longestName = 64

/** The request of a client, with the key, the name and the limits that it comes with. */
export function requestOf(
  { upstream, apiKey, queryLimits }: Billing,
  header: Header,
  extensions: Extensions,
) {
  const key = apiKey ?? header('x-api-key')?.trim() ?? ''
  return new Request(upstream.worldOf(key), {
    client: clientName(header),
    limits: limitsOf(extensions, queryLimits),
  })
}

/** The name that a client gives itself, in the header of the contract or in Apollo's. */
function clientName(header: Header): string {
  const given = header('graphql-client-name') || header('apollographql-client-name') || ''
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
