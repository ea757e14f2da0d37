import type { Arguments } from '../specification/operation.ts'
import type { RowCache } from './row-cache.ts'

/** An answer whose rows are being stored. */
export interface Purchase {
  readonly cache: RowCache
  readonly boughtAt: number
  /** The arguments of its call. */
  readonly arguments: Arguments
  /** The bytes of a row in memory, with its nested rows. */
  readonly rowBytes: number
}

/** The purchase for nested rows: they have no arguments, and their bytes are counted with the outer row. */
export const nestedIn = ({ cache, boughtAt }: Purchase): Purchase => ({
  cache,
  boughtAt,
  arguments: {},
  rowBytes: 0,
})
