import { nameOf } from '../specification/operations.ts'
import { bodyIn } from './answer.ts'
import { formOfCall } from './answer-store.ts'
import type { Account } from './account.ts'
import type { Answered, Call } from './call.ts'
import { keepAnswer } from './keep.ts'
import { clockDifference, listedName } from './replay.ts'

/**
 * The answer to a call that was bought before, and whose rows were evicted from memory since: they are kept
 * again. Null where there is none, or where anything in it has expired, so that the call has to be made.
 */
export function recall(account: Account, { operation, arguments: values }: Call): Answered | null {
  if (!account.rows.hasEvicted) return null
  const bought = account.store?.find?.(formOfCall({ operation: listedName(operation), arguments: values }))
  const now = account.upstream.settings.clock()
  if (bought?.kind !== 'answer' || bought.boughtAt > now + clockDifference) return null
  const { boughtAt, text } = bought
  const puts = (account.puts = [])
  account.isReplaying = true
  try {
    const body = bodyIn(text, operation)
    const keys = keepAnswer(account, { operation, arguments: values, body, boughtAt, bytes: text.length })
    return isFresh(puts, now) ? { keys, body, boughtAt } : null
  } catch {
    // Damaged, or of another version of Statline.
    return null
  } finally {
    account.isReplaying = false
    account.puts = null
  }
}

/**
 * Judged at the end: the state of a game may stand after what it decides. An answer of which nothing is kept
 * tells nothing.
 */
const isFresh = (puts: NonNullable<Account['puts']>, now: number): boolean =>
  puts.length > 0 && puts.every(([freshness, boughtAt]) => freshness.until(boughtAt) > now)

/** Notes for all who need an answer that it was at hand. */
export function noteRecalled({ operation, arguments: values, requests, field }: Call): void {
  for (const request of new Set(requests)) request.hit(nameOf(operation), Object.keys(values), field)
}
