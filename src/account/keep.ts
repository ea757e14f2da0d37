import { several } from '../specification/operation.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import type { Body } from '../wire/answer.ts'
import { keyOf } from '../specification/tables.ts'
import { noteMissing, putAnswer } from '../rows/put.ts'
import type { Account } from './account.ts'

/** An answer with the operation and arguments of its call. */
export interface ReadAnswer {
  readonly operation: Operation
  readonly arguments: Arguments
  readonly body: Body
  /** When it was bought, which decides when its rows and slots expire. */
  readonly boughtAt: number
  /** The size of the body as JSON. */
  readonly bytes: number
}

/** An answer with the keys of its stored rows, in the service's order. */
export interface AnswerWithKeys extends ReadAnswer {
  readonly keys: readonly string[]
}

type FillSlots = (account: Account, answer: AnswerWithKeys) => void

const fillers = new Map<Operation, FillSlots>()

/**
 * Registers the function that fills slots from an operation's answers. It may depend only on the answer and
 * on stored rows, not on the request, so that a restored answer fills the same slots. It is not called with
 * rows that were read by their own ids: they are a part of any list.
 */
export function fills(operations: readonly Operation[], fill: FillSlots): void {
  for (const operation of operations) {
    if (fillers.has(operation))
      throw new Error(`Two loaders fill slots from ${operation.class}/${operation.function}.`)
    fillers.set(operation, fill)
  }
}

function fill(account: Account, answer: AnswerWithKeys): void {
  const { yields } = answer.operation
  const isByOwnId = yields !== 'search' && answer.arguments[keyOf(yields)] !== undefined
  if (!isByOwnId) fillers.get(answer.operation)?.(account, answer)
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
