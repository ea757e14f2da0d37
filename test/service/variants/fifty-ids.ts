import { cut, read, refused } from './variant.ts'
import type { Variant } from './variant.ts'

/** An argument has fifty values at most. */
export const fiftyIds: Variant = {
  name: 'fifty ids',
  differs: ['ids in a call'],
  async answer(request, service) {
    const most = Math.max(...Object.values(read(request).values).map(({ length }) => length))
    return most > 50
      ? refused('Too many values: at most 50 are allowed in an argument list.')
      : service(request)
  },
  calls: (specified) => cut(specified, 50),
}
