import { isEmpty, withBody } from './variant.ts'
import type { Variant } from './variant.ts'

/** What matches nothing is null. */
export const emptyIsNull: Variant = {
  name: 'nothing is null',
  differs: ['nothing found'],
  async answer(request, service) {
    const answer = await service(request)
    return isEmpty(answer) ? withBody(answer, 'null') : answer
  },
}
