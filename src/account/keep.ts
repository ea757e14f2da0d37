import { several } from '../specification/operation.ts'
import { listedName } from '../specification/operations.ts'
import { keyOf } from '../specification/tables.ts'
import { noteMissing, putAnswer } from '../rows/put.ts'
import type { Account } from './account.ts'
import type { AnswerWithKeys, ReadAnswer } from './fill.ts'

/** Rows that were read by their own ids fill nothing: they are a part of any list. */
function fill(account: Account, answer: AnswerWithKeys): void {
  const { yields } = answer.operation
  const isByOwnId = yields !== 'search' && answer.arguments[keyOf(yields)] !== undefined
  if (!isByOwnId) account.upstream.settings.fills[listedName(answer.operation)]?.fill(account, answer)
}

/**
 * Stores everything that an answer contains, rows and slots, as of the time it was bought. Returns the keys
 * of its rows.
 */
export function keepAnswer(account: Account, bought: ReadAnswer): readonly string[] {
  const { operation, arguments: values, body, boughtAt, bytes } = bought
  const keys = putAnswer(account, operation, values, body, boughtAt, bytes)
  fill(account, { keys, ...bought })
  return keys
}

/**
 * Fills the slots of a call with more filters. `answer` has the rows that pass them. Returns it with the keys
 * of these rows.
 */
export function keepNarrowed(account: Account, answer: ReadAnswer): AnswerWithKeys {
  const { operation, arguments: values, body, boughtAt } = answer
  const { yields } = operation
  const id = yields === 'search' ? '' : keyOf(yields)
  const keys = Object.entries(body).map(([key, row]) => String((row as Record<string, unknown>)[id] ?? key)) // rows
  const narrowed = { keys, ...answer }
  if (operation.byKey && yields !== 'search')
    noteMissing(account, yields, several(values[id] ?? []), new Set(keys), boughtAt)
  fill(account, narrowed)
  return narrowed
}
