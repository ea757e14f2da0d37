import { refused } from './variant.ts'
import type { Variant } from './variant.ts'

/** There is no POST. */
export const noPost: Variant = {
  name: 'no POST',
  differs: ['POST'],
  answer: async (request, service) =>
    request.method === 'POST' ? refused('Method not allowed.', 405) : service(request),
}
