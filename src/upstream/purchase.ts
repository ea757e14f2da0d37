import type { Arguments } from '../specification/operations.ts'
import type { Account } from './account.ts'

/** An answer whose rows are being stored. */
export interface Purchase {
  readonly account: Account
  readonly boughtAt: number
  /** The arguments of its call. */
  readonly arguments: Arguments
  /** The bytes of a row in memory, with its nested rows. */
  readonly rowBytes: number
}

/** The purchase for nested rows: they have no arguments, and their bytes are counted with the outer row. */
export const nestedIn = ({ account, boughtAt }: Purchase): Purchase => ({
  account,
  boughtAt,
  arguments: {},
  rowBytes: 0,
})
