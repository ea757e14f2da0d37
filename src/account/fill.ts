import type { Body } from '../wire/answer.ts'
import type { Entry } from '../rows/entry.ts'
import type { RowCache } from '../rows/row-cache.ts'
import type { OperationName } from '../specification/operations.ts'
import type { Arguments, Operation } from '../specification/operation.ts'

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

/** Fills slots from an operation's answer. */
export type Fill = (account: RowCache, answer: AnswerWithKeys) => void

/** A slot of a row. */
export type Brought = readonly [owner: Entry, slot: { readonly name: string }]

/** Stands for the columns of a row. */
export const rowSlot = { name: 'row' }

export interface Filling {
  readonly fill: Fill
  /** The slots that a call fills if it is answered, as far as they are known before. */
  readonly brings?: (account: RowCache, values: Arguments, operation: Operation) => readonly Brought[]
}

/** By operation; null for answers that fill nothing beside their rows. */
export type Fills = Readonly<Record<OperationName, Filling | null>>
