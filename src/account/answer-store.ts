import type { Bill } from '../money/bill.ts'
import type { Arguments } from '../specification/operation.ts'

/** A bought answer with its bill, as it is stored beyond this process. */
export interface BoughtAnswer {
  readonly kind: 'answer'
  /** The operation's name in `specification/operations.ts`. */
  readonly operation: string
  readonly arguments: Arguments
  readonly boughtAt: number
  readonly bill: Bill
  /** Whether the service reported randomized values. */
  readonly isRandomized: boolean
  /** The body as JSON. */
  readonly text: string
}

/** An operation that the key's plan does not allow. */
export interface BoughtRefusal {
  readonly kind: 'refusal'
  readonly operation: string
  readonly boughtAt: number
}

/**
 * What the refusals say of the plan, so that an account's rows are marked although the refusal was long ago.
 * It is stored with each answer that such a key buys, and when it is over.
 */
export interface BoughtTrial {
  readonly kind: 'trial'
  /** None. Earlier versions expect one in everything that is stored. */
  readonly operation: ''
  /** When the last such answer was bought; if it is over, when a bulk read was first allowed. */
  readonly boughtAt: number
  readonly refusedAt: number
  readonly isOver: boolean
}

/** What an account learned from one call. */
export type Bought = BoughtAnswer | BoughtRefusal | BoughtTrial

/** The form of what the refusals say of the plan. */
export const trialForm = 'trial'

/** Identifies a stored answer. A later answer of the same form replaces the earlier one. */
export function storedName(bought: Bought): string {
  if (bought.kind === 'trial') return trialForm
  return bought.kind === 'refusal' ? `refusal ${bought.operation}` : storedNameOfCall(bought)
}

/** The form of a call. */
export const storedNameOfCall = ({
  operation,
  arguments: values,
}: Pick<BoughtAnswer, 'operation' | 'arguments'>): string =>
  `${operation} ${JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`

/** Which of the requested things this process may buy. */
export interface Turn {
  /** The things that another instance is buying. */
  readonly taken: ReadonlySet<string>
  /** The number of other instances' answers that were just taken over. */
  readonly come: number
}

/** What instances share about one account. */
export interface Sharing {
  /**
   * Takes over what other instances have bought, and reserves the named things for this instance, unless
   * another has reserved them. Never throws: if the others cannot be reached, this instance may buy
   * everything.
   */
  take(names: readonly string[]): Promise<Turn>
  /** Releases reservations: the things were bought, or could not be. */
  release(names: readonly string[]): void
}

/** An answer that was looked for. */
export type Found = Bought | undefined

/** One account's answers beyond this process. */
export interface AccountStore {
  /** Stores an answer. Never waits, never throws. */
  keep(bought: Bought): void
  /**
   * The stored answer of a form whose rows are not in memory; undefined if there is none. Never throws or
   * rejects.
   */
  find?(form: string): Found | Promise<Found>
  /** Present if several instances share the account. */
  readonly sharing?: Sharing
  /** How far other instances' answers were taken over. */
  readonly position?: Position
  /** Whether there are more answers than were given to `replay`. They can be found one by one. */
  readonly hasMore?: boolean
}

/** A position in the answers of all instances; undefined if answers are not shared. */
export type Position = { readonly secret: string; readonly cursor: string } | undefined

/** Stores what accounts have bought across restarts, or for several instances. */
export interface AnswerStore {
  /**
   * Opens an account. Answers that are available at once are given to `replay` before it returns, oldest
   * first, unless the account already has all of them, those of other instances up to `known.position`.
   */
  open(
    apiKey: string,
    replay: (bought: readonly Bought[]) => void,
    known?: { readonly position: Position },
  ): AccountStore
  close(): Promise<void>
}
