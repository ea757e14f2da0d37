import type { Variant } from './variant.ts'

/** An address has a thousand characters at most. */
export const shortAddresses: Variant = {
  name: 'short addresses',
  differs: ['length of an address'],
  async answer(request, service) {
    if (request.path.length <= 1000) return service(request)
    const body = '<html>414 Request-URI Too Large</html>'
    return { status: 414, headers: {}, body, bytes: body.length }
  },
}
