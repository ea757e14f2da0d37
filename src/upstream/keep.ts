import type { Arguments, Operation } from '../specification/operations.ts'
import type { Body } from './answer.ts'
import { keyOf } from '../specification/tables.ts'
import { several } from './encode.ts'
import { noteMissing, putAnswer } from './put.ts'
import type { Account } from './account.ts'

/** An answer, with what it was asked by. */
export interface Answer {
  readonly operation: Operation
  readonly arguments: Arguments
  readonly body: Body
  /** When it came, by which its rows and slots age. */
  readonly boughtAt: number
  /** The size of the body as JSON. */
  readonly bytes: number
}

/** An answer whose rows are kept: their keys, in the service's order. */
export interface KeptAnswer extends Answer {
  readonly keys: readonly string[]
}

type FillSlots = (account: Account, answer: KeptAnswer) => void

const fillers = new Map<Operation, FillSlots>()

/**
 * Declares which slots the answers of operations fill. It may depend on the answer and on the rows that are kept alone, not on who
 * asked: so an answer that was kept elsewhere fills the same slots when it is kept again.
 */
export function fills(operations: readonly Operation[], fill: FillSlots): void {
  for (const operation of operations) {
    if (fillers.has(operation))
      throw new Error(`Two loaders fill slots from ${operation.class}/${operation.function}.`)
    fillers.set(operation, fill)
  }
}

/** Keeps everything that an answer pays for, rows and slots, as of the moment when it was bought. Returns the keys of its rows. */
export function keepAnswer(account: Account, bought: Answer): readonly string[] {
  const { operation, arguments: values, body, boughtAt, bytes } = bought
  const keys = putAnswer(account, operation, values, body, boughtAt, bytes)
  fillers.get(operation)?.(account, { ...bought, keys })
  return keys
}

/**
 * Fills what a call with more filters would have filled: `answer` has those rows of one that is kept which they leave. Returns it with
 * the keys of its rows.
 */
export function keepNarrowed(account: Account, answer: Answer): KeptAnswer {
  const { operation, arguments: values, body, boughtAt } = answer
  const { yields } = operation
  const id = yields === 'search' ? '' : keyOf(yields)
  const keys = Object.entries(body).map(([key, row]) => String((row as Record<string, unknown>)[id] ?? key)) // rows
  const narrowed = { ...answer, keys }
  if (operation.byKey && yields !== 'search')
    noteMissing(account, yields, several(values[id] ?? []), new Set(keys), boughtAt)
  fillers.get(operation)?.(account, narrowed)
  return narrowed
}
