import type { Variant } from './variant.ts'

/** Nothing tells what a request costs. */
export const noUsageHeader: Variant = {
  name: 'no usage header',
  differs: ['usage header'],
  async answer(request, service) {
    const answer = await service(request)
    const { 'x-request-usage': _, ...headers } = answer.headers
    return { ...answer, headers }
  },
}
