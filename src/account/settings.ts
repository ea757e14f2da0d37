import type { Capabilities } from '../capabilities/capabilities.ts'
import type { ClientBudgets } from '../money/client-budgets.ts'
import type { OpenLedger } from '../money/open-ledger.ts'
import type { FreshFor } from '../rows/freshness.ts'
import type { AnswerStore } from './answer-store.ts'
import type { Estimates } from './estimates.ts'
import type { Fills } from './fill.ts'
import type { Transport } from '../wire/transport.ts'

export interface UpstreamSettings {
  readonly transport: Transport
  /** What answers fill beside their rows. */
  readonly fills: Fills
  /** Whether it replays a tape, whose failures tell nothing of a service. */
  readonly isReplayed?: boolean
  /** Tokens that each key may spend in a calendar month; null for no limit. */
  readonly monthlyTokenBudget: number | null
  /**
   * Tokens that each client name may spend in a calendar month, within its key's budget. By default no limit.
   */
  readonly clientBudgets?: ClientBudgets
  /** Where spending is stored, and this month's spending so far. By default in memory. */
  readonly ledger?: OpenLedger
  /** Time for a complete answer in milliseconds, retries included. */
  readonly timeoutMs: number
  /** Milliseconds before each retry of a failed request. Its length is the number of retries. */
  readonly retryPauses?: readonly number[]
  /** Maximum ids in one call. */
  readonly batchSize: number
  /** Maximum parallel calls of one key. */
  readonly concurrency: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** The time zone of the league's days; New York by default. */
  readonly timeZone?: string
  /** How long rows are served. Optional. */
  readonly freshFor?: FreshFor
  /** Where answers are stored beyond this process. By default nowhere. */
  readonly answers?: AnswerStore
  /** The sizes and prices of a key's answers that were learned before; none by default. */
  readonly learned?: (apiKey: string) => Estimates | undefined
  /** What is known about the service. By default nothing. */
  readonly capabilities?: Capabilities
  /** Maximum bytes of answers kept for accounts that came once. By default a share of the heap. */
  readonly mostParked?: number
}
