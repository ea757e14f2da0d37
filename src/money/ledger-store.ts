/** What a call was made for: a client's GraphQL operation, and the service's operation. */
export interface Cause {
  readonly client: string
  readonly operation: string
  readonly service: string
}

/** What was spent for one cause in one hour (UTC) with one key. */
export interface Spending extends Cause {
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** `00` to `23`; empty for old days, which are kept without hours. */
  readonly hour: string
  /** The key's HMAC, never the key. */
  readonly key: string
  readonly tokens: number
  /** The part of the tokens that is estimated. */
  readonly estimated: number
  readonly bytes: number
  readonly calls: number
}

/** A reservation for a request to the service. If its end is never recorded, it is booked as estimated. */
export interface Opened extends Spending {
  /** The name of its process, a space and its number. */
  readonly id: string
}

/** A change of a ledger. */
export type Change =
  /** With `isGranted`, a larger reservation that is still open covers it, so no budget may refuse it. */
  | { readonly kind: 'open'; readonly opened: Opened; readonly isGranted?: true }
  /** The bill of a reservation, divided among the users of the answer. */
  | { readonly kind: 'settle'; readonly opened: Opened; readonly spent: readonly Spending[] }

/** The spending that reverses another one. */
export const negative = <
  T extends {
    readonly tokens: number
    readonly estimated: number
    readonly bytes: number
    readonly calls: number
  },
>(
  one: T,
): T => ({
  ...one,
  tokens: -one.tokens,
  estimated: -one.estimated,
  bytes: -one.bytes,
  calls: -one.calls,
})

/**
 * Whether a reservation fits the budgets; null if a shared ledger cannot be reached. `HELD`: not now, because other
 * instances hold tokens in case the shared ledger goes away. They are asked to give them back.
 */
export type Grant = boolean | 'HELD' | null

/** Stores spending. A store on disk survives a restart; other stores are shared by several instances. */
export interface LedgerStore {
  /** Whether written changes survive the process. */
  readonly isDurable: boolean
  /** Whether a normally durable store would at the moment lose changes if the process ended. */
  readonly isVolatile?: boolean
  /** Why changes wait although the store can be reached, in public words; null if they do not. */
  readonly trouble?: string | null
  /** Whether a write waits for a round trip, during which this process can do something else. */
  readonly isRemote?: true
  /** The name of this process, if others look whether it still runs. The ids of its reservations begin with it. */
  readonly process?: string
  /** Changes when key names change, which happens once a shared secret is known. */
  readonly naming?: number
  /** The name that a key's spending is stored under: its HMAC by the store's secret. */
  nameOf(apiKey: string): string
  /** The same name, if the store remembers keys by `nameOf`. This one is not remembered. */
  hashOf?(apiKey: string): string
  /**
   * Writes all changes or none. Returns a grant for each reservation; an empty list grants all. A bill that
   * arrives after its reservation was booked as estimated corrects it.
   */
  write(changes: readonly Change[]): readonly Grant[] | Promise<readonly Grant[]>
  /**
   * What was spent from one day to another, with open reservations as estimated. Null if that is known: the last
   * call, or the start, began at the same day, and no other process has written since. Only a ledger that
   * several processes may write has this.
   */
  changedElsewhere?(from: string, to: string): readonly Spending[] | null
  /**
   * Books what other processes have left open as estimated, if they have ended. Throws if it cannot be written
   * now; the next call tries again. Only a ledger that several processes may write has this.
   */
  bookLeft?(): void
  /** What was spent from one day to another, inclusive. */
  spending(from: string, to: string): Promise<readonly Spending[]>
  close(): Promise<void>
  /** What it has taken over, and had not stored when it was closed. */
  readonly lost?: readonly Spending[]
}

const [hourMs, dayMs] = [3_600_000, 86_400_000]

/** The last formatted day, because nearly all times are on the same day. */
let lastDay = { number: Number.NaN, name: '', month: '' }

function formatted(moment: number) {
  const number = Math.floor(moment / dayMs)
  if (number === lastDay.number) return lastDay
  const name = new Date(moment).toISOString().slice(0, 10)
  return (lastDay = { number, name, month: name.slice(0, 7) })
}

export const dayOf = (moment: number): string => formatted(moment).name

export const hourOf = (moment: number): string =>
  String(Math.floor((moment % dayMs) / hourMs)).padStart(2, '0')

export const monthOf = (moment: number): string => formatted(moment).month

export const monthOfDay = (day: string): string => day.slice(0, 7)

/** The spending of the month so far, with which a ledger starts after a restart. */
export const spendingOfMonth = (store: LedgerStore, month: string): Promise<readonly Spending[]> =>
  store.spending(`${month}-01`, `${month}-31`)
