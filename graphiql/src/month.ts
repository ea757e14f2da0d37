import { ask } from './graph.ts'
import type { Month } from './graph.ts'
import { held } from './held.ts'

const month = held<Month | null>(null)

/** The cost of the month and what remains; null until it is known. */
export const useMonth = month.use

/** Minimum milliseconds between two requests for the month, also during a subscription with many events. */
const pause = 300
let isWaiting = false

/** Requests the month, which costs nothing. Requests of the same moment are sent as one. */
export function refreshMonth(): void {
  if (isWaiting) return
  isWaiting = true
  setTimeout(async () => {
    isWaiting = false
    const query = '{ usage { month tokens budget remaining } }'
    const answer = await ask({ query }, { headers: {} }).catch(() => null)
    const data = answer?.data as { readonly usage?: Month } | null | undefined // the fields of the query
    month.set(data?.usage ?? null)
  }, pause)
}
