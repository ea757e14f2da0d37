import { changed, eachValue } from './variant.ts'
import type { Variant } from './variant.ts'

/** Games are over in words of its own. */
export const newStatuses: Variant = {
  ...changed('new statuses', [], (body) =>
    eachValue(body, (name, value) => (name === 'status' && value === 'final' ? 'gone_home' : value)),
  ),
  specified: (text) => text.replaceAll('gone_home', 'final'),
}
