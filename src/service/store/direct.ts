import type { Send } from './send.ts'
import type { Sqlite } from './statements.ts'

/**
 * The databases without a query builder, for what every request does: building a query takes longer than most
 * of them. The files are the ones that Kysely's readers and accounts use.
 */
export type Direct =
  | { readonly dialect: 'sqlite'; readonly league: Sqlite; readonly accounts: Sqlite }
  | { readonly dialect: 'postgres'; readonly send: Send }
