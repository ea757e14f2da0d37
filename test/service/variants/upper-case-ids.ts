import { isError, read, withBody, withValues } from './variant.ts'
import type { Variant } from './variant.ts'

const id = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi

/** Ids are in upper case, and found in either. */
export const upperCaseIds: Variant = {
  name: 'upper-case ids',
  differs: ['case of ids'],
  async answer(request, service) {
    const { operation, values } = read(request)
    const lower = Object.entries(values).map(([name, list]) => [
      name,
      list.map((one) => (one.match(id) ? one.toLowerCase() : one)),
    ])
    const answer = await service(withValues(request, { operation, values: Object.fromEntries(lower) }))
    return isError(answer)
      ? answer
      : withBody(
          answer,
          answer.body.replaceAll(id, (one) => one.toUpperCase()),
        )
  },
}
