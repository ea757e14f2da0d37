import { hash } from 'node:crypto'

const variants = '89ab'

/**
 * UUIDs of names, version 5 (RFC 9562, section 5.5): the same name always has the same one. The package
 * `uuid` takes four times as long for each, and a season has a hundred thousand.
 */
export function nameUuids(namespace: string): (name: string) => string {
  const prefix = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  return (name) => {
    const hex = hash('sha1', Buffer.concat([prefix, Buffer.from(name)]), 'hex')
    const variant = variants[Number.parseInt(hex.charAt(16), 16) & 3]
    const [head, middle] = [hex.slice(0, 8), hex.slice(8, 12)]
    return `${head}-${middle}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
}
