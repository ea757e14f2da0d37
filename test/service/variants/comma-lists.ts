import { read, withValues } from './variant.ts'
import type { Variant } from './variant.ts'

/** Several values are joined by commas; of a repeated parameter the last one counts. */
export const commaLists: Variant = {
  name: 'comma lists',
  differs: ['several values'],
  async answer(request, service) {
    const { operation, values } = read(request)
    const lists = Object.entries(values).map(([name, list]) => [name, list.at(-1)?.split(',') ?? []])
    return service(withValues(request, { operation, values: Object.fromEntries(lists) }))
  },
  // Many ids are one value on the wire.
  calls: (specified) => specified.map((line) => line.replace(/ \d+$/, ' 1')),
}
