import { setTimeout as wait } from 'node:timers/promises'
import type { Variant } from './variant.ts'

/** Every answer takes its time. */
export const slow: Variant = {
  name: 'slow',
  differs: [],
  async answer(request, service) {
    await wait(20)
    return service(request)
  },
}
