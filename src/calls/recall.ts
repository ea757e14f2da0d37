import { nameOf } from '../specification/operation.ts'
import { bodyIn } from '../wire/answer.ts'
import { storedNameOfCall } from '../account/answer-store.ts'
import type { Found } from '../account/answer-store.ts'
import type { Account } from '../account/account.ts'
import type { Answered } from '../wire/answer.ts'
import type { Call } from './needed-call.ts'
import { keepAnswer } from '../account/keep.ts'
import { listedName } from '../specification/operations.ts'
import { clockDifference } from '../account/restore.ts'

/**
 * A stored answer to a call whose rows are no longer in memory: they are stored again. Null if there is none,
 * or if any part has expired and the call has to be made.
 */
export function recall(account: Account, call: Call): Answered | null | Promise<Answered | null> {
  if (!account.rows.isPartial) return null
  const { operation, arguments: values } = call
  const found = account.store?.find?.(
    storedNameOfCall({ operation: listedName(operation), arguments: values }),
  )
  if (!(found instanceof Promise)) return storedAgain(account, call, found)
  return found.then((bought) => storedAgain(account, call, bought))
}

function storedAgain(account: Account, { operation, arguments: values }: Call, bought: Found) {
  const now = account.upstream.settings.clock()
  if (bought?.kind !== 'answer' || bought.boughtAt > now + clockDifference) return null
  const { boughtAt, text } = bought
  if (bought.isRandomized) account.noteRandomized(boughtAt)
  const puts = (account.puts = [])
  account.isRestoring = true
  try {
    const body = bodyIn(text, operation)
    const keys = keepAnswer(account, { operation, arguments: values, body, boughtAt, bytes: text.length })
    return isFresh(puts, now) ? { keys, body, boughtAt } : null
  } catch {
    // It is damaged, or from another version of Statline.
    return null
  } finally {
    account.isRestoring = false
    account.puts = null
  }
}

/**
 * Checked at the end, because a game's state may come after the rows that it decides. An answer without
 * stored parts proves nothing.
 */
const isFresh = (puts: NonNullable<Account['puts']>, now: number): boolean =>
  puts.length > 0 && puts.every(([freshness, boughtAt]) => freshness.until(boughtAt) > now)

/** Counts a cache hit for each request that needs the answer. */
export function noteRecalled(
  { operation, arguments: values, requests, field }: Call,
  source: 'MEMORY' | 'REDIS',
): void {
  for (const request of new Set(requests))
    request.hit(nameOf(operation), Object.keys(values), field, 1, source)
}
