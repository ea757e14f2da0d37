import { isError } from './variant.ts'
import type { Variant } from './variant.ts'

/** Errors have status 400, and are billed. */
export const errorsAre400: Variant = {
  name: 'errors are 400 and billed',
  differs: ['status of errors', 'price of errors'],
  async answer(request, service) {
    const answer = await service(request)
    if (!isError(answer)) return answer
    return { ...answer, status: 400, headers: { ...answer.headers, 'x-request-usage': '1' } }
  },
}
