import { isIP } from 'node:net'
import type { Plugin } from 'graphql-yoga'
import { refusalOf } from './refusal.ts'

/** Names that this server answers to; `*` for every name. */
export type Hosts = readonly string[] | '*'

/**
 * Paths that answer under every host name and to every page: load balancers probe by address, and these cost
 * and reveal nothing.
 */
export const probes: ReadonlySet<string> = new Set(['/health', '/ready'])

/** Addresses that mean all interfaces of the machine. No client names them. */
const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const localName = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1)$/

/** A `Host` header or a configured name in one form: lower case, without port, brackets and final dot. */
export function hostName(text: string): string {
  const bare = text.trim().toLowerCase()
  const [, address] = /^\[(.*)\](?::\d*)?$/.exec(bare) ?? []
  if (address !== undefined || isIP(bare) === 6) return address ?? bare
  return bare.replace(/:\d*$/, '').replace(/\.$/, '')
}

/**
 * Whether a request may name this host. Without configuration (`listed` is null), these are the machine's own
 * names and the address that the server listens on. A server on all interfaces also accepts any IP address,
 * because DNS rebinding needs a name.
 */
export function hostCheck(listed: Hosts | null, listensOn: string): (host: string) => boolean {
  if (listed === '*') return () => true
  if (listed !== null) {
    const names = new Set(listed.map(hostName))
    return (host) => names.has(hostName(host))
  }
  const own = hostName(listensOn)
  const isAnyAddress = wildcards.has(own)
  return (host) => {
    const name = hostName(host)
    return localName.test(name) || name === own || (isAnyAddress && isIP(name) !== 0)
  }
}

/** For the operator. A rebound page may read it as well. */
const refusal = 'This host name is not served: ALLOWED_HOSTS lists those that are.'

/**
 * Refuses requests for a host that is not ours. A page of another site can point its own name at this server
 * (DNS rebinding) and would then count as our page. Browsers always send a host, so requests without one are
 * accepted.
 */
export function useHosts(isOurs: (host: string) => boolean): Plugin {
  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      const host = request.headers.get('host')
      if (host === null || probes.has(url.pathname) || isOurs(host)) return
      endResponse(refusalOf(fetchAPI, 403, refusal))
    },
  }
}
