type Environment = Readonly<Record<string, string | undefined>>

/** A warning if the environment names a proxy for the service's address, because none is used. */
export function unusedProxy(environment: Environment, url: string | null): readonly string[] {
  if (url === null) return []
  const { protocol, hostname } = new URL(url)
  const scheme = protocol.slice(0, -1)
  const valueOf = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? ''
  const name = [`${scheme.toUpperCase()}_PROXY`, 'ALL_PROXY'].find((one) => valueOf(one) !== '')
  if (name === undefined || isExempt(hostname, valueOf('NO_PROXY'))) return []
  return [
    `${name} has no effect: Statline connects to UPSTREAM_URL directly. If only the proxy can reach it, name an address ` +
      'that this machine can reach; otherwise add its host to NO_PROXY.',
  ]
}

/** Whether NO_PROXY lists a host, a domain that it is in, or all. */
const isExempt = (host: string, list: string) =>
  list.split(/[\s,]+/).some((entry) => {
    const name = entry
      .replace(/:\d+$/, '')
      .replace(/^\*?\./, '')
      .toLowerCase()
    return name === '*' || (name !== '' && (host === name || host.endsWith(`.${name}`)))
  })
