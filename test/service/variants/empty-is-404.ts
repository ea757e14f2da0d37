import { isEmpty, withBody } from './variant.ts'
import type { Variant } from './variant.ts'

/** What matches nothing has status 404 and no body. */
export const emptyIs404: Variant = {
  name: 'nothing is 404',
  differs: ['nothing found'],
  async answer(request, service) {
    const answer = await service(request)
    return isEmpty(answer) ? withBody(answer, '', { status: 404 }) : answer
  },
}
