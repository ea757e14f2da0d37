import { isEmpty, withBody } from './variant.ts'
import type { Variant } from './variant.ts'

/** What matches nothing has status 400 and an error. */
export const emptyIs400: Variant = {
  name: 'nothing is 400',
  differs: ['nothing found'],
  async answer(request, service) {
    const answer = await service(request)
    return isEmpty(answer) ? withBody(answer, { error: 'E_EMPTY' }, { status: 400 }) : answer
  },
}
