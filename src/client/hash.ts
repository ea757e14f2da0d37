/**
 * The document's SHA-256 in hexadecimal, as in `statline-client/trusted-documents.json`. Code generation adds
 * it; the hash is empty for a document made in another way.
 */
export function hashOf(document: object | string): string {
  if (typeof document === 'string') return ''
  const meta: unknown = Reflect.get(document, '__meta__')
  const hash: unknown = typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'hash') : undefined
  return typeof hash === 'string' ? hash.replace(/^sha256:/, '') : ''
}
