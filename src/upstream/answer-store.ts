import type { Bill } from '../money/bill.ts'
import type { Arguments } from '../specification/operations.ts'

/** An answer that was bought, with its bill, as it is kept beyond this process. */
export interface BoughtAnswer {
  readonly kind: 'answer'
  /** The operation by its name in the specification's list. */
  readonly operation: string
  readonly arguments: Arguments
  readonly boughtAt: number
  readonly bill: Bill
  /** Whether the service said that it has randomized some of its values. */
  readonly isRandomized: boolean
  /** The body as it came, JSON. */
  readonly text: string
}

/** An operation that the key's plan was found not to allow. */
export interface BoughtRefusal {
  readonly kind: 'refusal'
  readonly operation: string
  readonly boughtAt: number
}

/** What an account has learned from one call. */
export type Bought = BoughtAnswer | BoughtRefusal

/** Tells what is kept apart: of two that were bought in the same way, the later counts. */
export const formOf = (bought: Bought): string =>
  bought.kind === 'refusal' ? `refusal ${bought.operation}` : formOfCall(bought)

/** The form of what a call buys. */
export const formOfCall = ({
  operation,
  arguments: values,
}: Pick<BoughtAnswer, 'operation' | 'arguments'>): string =>
  `${operation} ${JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`

/** Which of the things that are about to be bought this process may buy. */
export interface Turn {
  /** Those that another instance is buying. */
  readonly taken: ReadonlySet<string>
  /** How many answers of other instances have been kept here just now. */
  readonly come: number
}

/** What instances tell each other of one account. */
export interface Sharing {
  /**
   * Keeps here what other instances have bought, and reserves what is named for this one to buy; what another has reserved is not.
   * Never throws: without the others, everything is this instance's to buy.
   */
  take(names: readonly string[]): Promise<Turn>
  /** Gives up what was reserved: it has been bought, or could not be. */
  release(names: readonly string[]): void
}

/** What is kept of one account beyond this process. */
export interface AccountStore {
  /** Keeps what was bought. Never waits, never throws. */
  keep(bought: Bought): void
  /** What is kept under a form, for an account whose rows were evicted from memory; undefined where nothing is. Never throws. */
  find?(form: string): Bought | undefined
  /** Where other instances share the account. */
  readonly sharing?: Sharing
}

/** Keeps what accounts have bought across restarts, or across instances. */
export interface AnswerStore {
  /** Opens what is kept of an account. What is there at once is given to `replay` before it returns, oldest first. */
  open(apiKey: string, replay: (bought: readonly Bought[]) => void): AccountStore
  close(): Promise<void>
}
