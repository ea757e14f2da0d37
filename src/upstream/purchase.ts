import type { Arguments } from '../specification/operations.ts'
import type { Account } from './account.ts'

/** An answer whose rows are kept. */
export interface Purchase {
  readonly account: Account
  readonly boughtAt: number
  /** The arguments of its call. */
  readonly arguments: Arguments
  /** What a row takes in memory, the rows nested in it included. */
  readonly rowBytes: number
}

/**
 * A purchase as the rows see it that are nested in others: they were not asked for, and weigh nothing more.
 */
export const nestedIn = ({ account, boughtAt }: Purchase): Purchase => ({
  account,
  boughtAt,
  arguments: {},
  rowBytes: 0,
})
