import { isIP } from 'node:net'
import type { Plugin } from 'graphql-yoga'

/** Names that this server answers to; `*` for every name. */
export type Hosts = readonly string[] | '*'

/** Paths that answer under every name and to every page: load balancers probe by address, and nothing is spent or told. */
export const probes: ReadonlySet<string> = new Set(['/health', '/ready'])

/** Addresses that mean every interface of the machine. No client names them. */
const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const localName = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1)$/

/** A `Host` header or a name of the configuration, in one form: lower case, without port, brackets and final dot. */
export function hostName(text: string): string {
  const bare = text.trim().toLowerCase()
  const [, address] = /^\[(.*)\](?::\d*)?$/.exec(bare) ?? []
  if (address !== undefined || isIP(bare) === 6) return address ?? bare
  return bare.replace(/:\d*$/, '').replace(/\.$/, '')
}

/**
 * Whether a request may name this host. `listed` is null where nothing is configured: then it may be this machine's own names or the
 * address that the server listens on. A server that listens on every interface also answers to any address: DNS rebinding, which this
 * check is against, needs a name.
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

/** For the operator who reads it. A page that was rebound may read it as well. */
const refusal = 'This host name is not served: ALLOWED_HOSTS lists those that are.\n'

/**
 * Refuses requests that name a host which is not ours. A page of another site can give its own name this server's address (DNS rebinding),
 * and would then count as a page of ours. Browsers always name a host, so a request without one is left alone.
 */
export function useHosts(isOurs: (host: string) => boolean): Plugin {
  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      const host = request.headers.get('host')
      if (host === null || probes.has(url.pathname) || isOurs(host)) return
      endResponse(new fetchAPI.Response(refusal, { status: 403 }))
    },
  }
}
