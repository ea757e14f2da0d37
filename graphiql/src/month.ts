import { ask } from './graph.ts'
import type { Month } from './graph.ts'
import { held } from './held.ts'

const month = held<Month | null>(null)

/** What the month has cost and what is left of it; null while that is not known. */
export const useMonth = month.use

/** However many events a second a subscription has, the month is not asked for more often than this, in milliseconds. */
const pause = 300
let isWaiting = false

/** Asks how the month stands, which costs nothing, together with whatever else happens in this moment. */
export function refreshMonth(): void {
  if (isWaiting) return
  isWaiting = true
  setTimeout(async () => {
    isWaiting = false
    const query = '{ usage { month tokens budget remaining } }'
    const answer = await ask({ query }, { headers: {} }).catch(() => null)
    const data = answer?.data as { readonly usage?: Month } | null | undefined // what the query asks for
    month.set(data?.usage ?? null)
  }, pause)
}
