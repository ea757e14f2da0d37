import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** The address of a request's client. */
export type AddressOf = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** An address of `X-Forwarded-For` or of a socket in one form: without port, brackets and the prefix of IPv4 in IPv6. */
function bare(text: string): string {
  const address = text.trim().toLowerCase()
  const [, inBrackets, withPort] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? []
  return (inBrackets ?? withPort ?? address).replace(/^::ffff:(?=[\d.]+$)/, '')
}

/**
 * Finds a client's address: the last one of `X-Forwarded-For` that is not a trusted proxy's. Without trusted proxies,
 * and for connections of others, it is the connection's: the header is whatever the client says.
 */
export function addressBehind(proxies: readonly string[]): AddressOf {
  const trusted = new BlockList()
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/', 2)
    if (bits === undefined) trusted.addAddress(address, familyOf(address))
    else trusted.addSubnet(address, Number(bits), familyOf(address))
  }
  return ({ socket, headers }) => {
    let address = bare(socket.remoteAddress ?? '')
    const forwarded = proxies.length > 0 ? String(headers['x-forwarded-for'] ?? '').split(',') : []
    while (isIP(address) !== 0 && trusted.check(address, familyOf(address))) {
      const before = bare(forwarded.pop() ?? '')
      if (isIP(before) === 0) break
      address = before
    }
    return address
  }
}
