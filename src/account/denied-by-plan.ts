import type { Operation } from '../specification/operation.ts'
import type { Account } from './account.ts'
import { isBulk } from './trial-signs.ts'

/**
 * Whether the plan denies an operation by what the doctor has found. It may have used another key: once a bulk read of
 * this one was allowed, that no longer counts.
 */
export function isSaidToBeDenied({ trialSigns, upstream }: Account, operation: Operation): boolean {
  const { downloads, bulkReads } = upstream.capabilities.choices.denied
  if (trialSigns.hasBeenAllowed) return false
  return (downloads && operation.function === 'download') || (bulkReads && isBulk(operation))
}
