import { read, singly, withValues } from './variant.ts'
import type { Variant } from './variant.ts'

/** Of several values only the first counts. */
export const firstOfAnArray: Variant = {
  name: 'the first of an array',
  differs: ['several values'],
  async answer(request, service) {
    const { operation, values } = read(request)
    const first = Object.entries(values).map(([name, list]) => [name, list.slice(0, 1)])
    return service(withValues(request, { operation, values: Object.fromEntries(first) }))
  },
  calls: singly,
}
