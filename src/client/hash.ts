/**
 * The SHA-256, in hexadecimal, by which `statline/client/trusted-documents.json` knows a document: what code generation has put into it. Empty
 * where it was made otherwise.
 */
export function hashOf(document: object): string {
  const meta: unknown = Reflect.get(document, '__meta__')
  const hash: unknown = typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'hash') : undefined
  return typeof hash === 'string' ? hash.replace(/^sha256:/, '') : ''
}
