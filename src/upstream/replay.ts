import { operations } from '../specification/operations.ts'
import type { Operation } from '../specification/operations.ts'
import { bodyIn } from './answer.ts'
import type { Bought, BoughtAnswer } from './answer-store.ts'
import { keepAnswer } from './keep.ts'
import type { Account } from './account.ts'

const byName = new Map<string, Operation>(Object.entries(operations))
const names = new Map([...byName].map(([name, operation]) => [operation, name]))

/** The name of an operation in the specification's list, which tells it from others of the same class and function. */
export const listedName = (operation: Operation): string => names.get(operation) ?? ''

/** Clocks of instances differ by less. What was bought later still was bought by a clock that was wrong, at an unknown time. */
export const clockDifference = 60_000

/**
 * Keeps what was bought before, or by another instance, as of the moment when it was bought: it costs nothing, and what is known
 * already and newer stays.
 */
export function replay(account: Account, bought: readonly Bought[]): void {
  const latest = account.upstream.settings.clock() + clockDifference
  account.isReplaying = true
  try {
    for (const one of bought
      .filter(({ boughtAt }) => boughtAt <= latest)
      .toSorted((a, b) => a.boughtAt - b.boughtAt))
      if (one.kind === 'refusal') account.refusals.add(one.operation, one.boughtAt)
      else if (one.kind === 'answer') tryReplay(account, one)
  } finally {
    account.isReplaying = false
  }
}

/** An answer that is damaged, or that another version of Statline kept otherwise, is left out: the key has to go on without it. */
function tryReplay(account: Account, one: BoughtAnswer): void {
  try {
    replayAnswer(account, one)
  } catch {
    // It is bought again when it is asked for.
  }
}

/** An operation that is no longer known is left out. */
function replayAnswer(
  account: Account,
  { operation: name, arguments: values, boughtAt, bill, ...one }: BoughtAnswer,
): void {
  const operation = byName.get(name)
  if (!operation) return
  const body = bodyIn(one.text, operation)
  account.hasAnswers = true
  if (one.isRandomized) account.noteRandomized(boughtAt)
  keepAnswer(account, { operation, arguments: values, body, boughtAt, bytes: one.text.length })
  account.estimates.learnFrom(operation, values, body, bill)
}
