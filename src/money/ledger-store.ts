/**
 * What calls are made for: a GraphQL operation of a client, and the operation of the service that it needs.
 */
export interface Cause {
  readonly client: string
  readonly operation: string
  readonly service: string
}

/** What was spent for one cause in one hour (UTC) with one key. */
export interface Spending extends Cause {
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** `00` to `23`; empty where the hours of a day are no longer kept apart. */
  readonly hour: string
  /** The key's HMAC, never the key. */
  readonly key: string
  readonly tokens: number
  /** Those of the tokens that the service did not report. */
  readonly estimated: number
  readonly bytes: number
  readonly calls: number
}

/**
 * A request to the service that is set aside before it goes out, and booked as estimated if its end is never
 * written.
 */
export interface Opened extends Spending {
  readonly id: string
}

/** What is written to a ledger. */
export type Change =
  | { readonly kind: 'open'; readonly opened: Opened }
  /** Ends what was opened: the bill, split among those who needed the answer. */
  | { readonly kind: 'settle'; readonly opened: Opened; readonly spent: readonly Spending[] }

/** Whether what was to be opened fits the budgets; null where a shared ledger is away and cannot tell. */
export type Grant = boolean | null

/**
 * Keeps what was spent. A store on disk survives a restart. The same interface serves a store that several
 * instances share.
 */
export interface LedgerStore {
  /** Whether what is written survives the process. */
  readonly isDurable: boolean
  /** Whether what is written at present would be lost with the process, though the store is durable else. */
  readonly isVolatile?: boolean
  /** Changes when keys get other names, as they do once a shared secret is known. */
  readonly naming?: number
  /** The name under which a key's spending is kept: its HMAC by a secret of the store. */
  nameOf(apiKey: string): string
  /**
   * Writes changes all or none, and answers with a grant for each that opens; all are granted where it has no
   * answer. What was opened and is settled after it was booked as estimated is corrected.
   */
  write(changes: readonly Change[]): readonly Grant[] | Promise<readonly Grant[]>
  /** What was spent from one day to another, both included. */
  spending(from: string, to: string): Promise<readonly Spending[]>
  close(): Promise<void>
}

const [hourMs, dayMs] = [3_600_000, 86_400_000]

/** The day that was last written out: nearly all moments are of one. */
let lastDay = { number: Number.NaN, name: '' }

export function dayOf(moment: number): string {
  const number = Math.floor(moment / dayMs)
  if (number !== lastDay.number) lastDay = { number, name: new Date(moment).toISOString().slice(0, 10) }
  return lastDay.name
}

export const hourOf = (moment: number): string =>
  String(Math.floor((moment % dayMs) / hourMs)).padStart(2, '0')

export const monthOf = (moment: number): string => dayOf(moment).slice(0, 7)

/** What a month has cost so far, as a ledger begins with after a restart. */
export const spendingOfMonth = (store: LedgerStore, month: string): Promise<readonly Spending[]> =>
  store.spending(`${month}-01`, `${month}-31`)
