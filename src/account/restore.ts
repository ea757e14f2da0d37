import type { Arguments, Operation } from '../specification/operation.ts'
import { listedName, listedOperation } from '../specification/operations.ts'
import { bodyIn } from '../wire/answer.ts'
import type { Answered } from '../wire/answer.ts'
import { storedNameOfCall } from './answer-store.ts'
import type { Bought, BoughtAnswer, Found } from './answer-store.ts'
import { keepAnswer } from './keep.ts'
import { isBulk } from './trial-signs.ts'
import type { Account } from './account.ts'

/**
 * The clocks of instances are assumed to differ by less than this, in milliseconds. A later time comes from a
 * wrong clock, so the real time is unknown.
 */
export const clockDifference = 60_000

/**
 * Stores earlier answers, or those of another instance, as of the time when they were bought. This costs
 * nothing, and newer rows stay.
 */
export function restore(account: Account, bought: readonly Bought[]): void {
  const latest = account.upstream.settings.clock() + clockDifference
  account.isRestoring = true
  try {
    for (const one of bought
      .filter(({ boughtAt }) => boughtAt <= latest)
      .toSorted((a, b) => a.boughtAt - b.boughtAt))
      if (one.kind === 'refusal') account.noteRefused(one.operation, one.boughtAt)
      else if (one.kind === 'trial') account.noteTrial(one)
      else if (one.kind === 'answer') tryRestore(account, one)
  } finally {
    account.isRestoring = false
  }
}

/** A damaged answer, or one of another version of Statline, is left out. */
function tryRestore(account: Account, one: BoughtAnswer): void {
  try {
    restoreAnswer(account, one)
  } catch {
    // It will be bought again when it is needed.
  }
}

/** Ignores unknown operations. */
function restoreAnswer(
  account: Account,
  { operation: name, arguments: values, boughtAt, bill, ...one }: BoughtAnswer,
): void {
  const operation = listedOperation(name)
  if (!operation) return
  const body = bodyIn(one.text, operation)
  account.hasAnswers = true
  if (one.isRandomized) account.noteRandomized(boughtAt)
  if (isBulk(operation)) account.trialSigns.noteAllowed(boughtAt)
  keepAnswer(account, { operation, arguments: values, body, boughtAt, bytes: one.text.length })
  account.estimates.learnFrom(operation, values, body, bill)
}

/**
 * A stored answer to a call whose rows are no longer in memory: they are stored again. Null if there is none,
 * or if any part has expired and the call has to be made.
 */
export function recall(
  account: Account,
  operation: Operation,
  values: Arguments,
): Answered | null | Promise<Answered | null> {
  if (!account.rows.isPartial) return null
  const found = account.store?.find?.(
    storedNameOfCall({ operation: listedName(operation), arguments: values }),
  )
  const again = (bought: Found) => storedAgain(account, operation, values, bought)
  return found instanceof Promise ? found.then(again) : again(found)
}

function storedAgain(account: Account, operation: Operation, values: Arguments, bought: Found) {
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
