import type { DryRun, PlanEntry } from './plan.ts'

/** What the service billed for one answer. */
export interface Usage {
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
  readonly cacheHits: number
  /** Tokens left of the month's budget; missing if there is none. */
  readonly remaining?: number
  /** Set if some of the tokens are estimated, because the service did not report its bill. */
  readonly estimated?: true
}

/**
 * The failure of one field; all other fields are answered. `code` is one of the graph’s, such as
 * `ACCESS_DENIED`.
 */
export interface FieldError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: { readonly code?: string }
}

/** Rows of an answer that had expired: how many, and the age of the oldest, in seconds. */
export interface Stale {
  readonly rows: number
  readonly seconds: number
}

/** What an event of a subscription says of the state as a whole. */
export interface Live {
  /** Whether the whole state has come: of a day, all of its games. */
  readonly complete?: boolean
  /** Ids of objects that no longer belong to it, such as games that were moved to another day. */
  readonly left?: readonly string[]
}

/** The answer to a query. If a call failed, its fields are null and `errors` says why. */
export interface Answer<Data> {
  readonly data: Data | null
  readonly errors: readonly FieldError[]
  readonly usage: Usage | null
  /** Null if all rows are fresh. */
  readonly stale: Stale | null
  /** Which call served which field, and its bill; only if the client has `explain`. */
  readonly plan?: readonly PlanEntry[]
  /** Only of an event of a subscription. */
  readonly live?: Live
}

/** What the graph sends. */
export interface Body<Data> {
  readonly data?: Data | null
  readonly errors?: readonly FieldError[]
  readonly extensions?: { readonly usage?: Usage; readonly stale?: Stale; readonly live?: Live } & DryRun
}

export const answerOf = <Data>({ data = null, errors = [], extensions }: Body<Data>): Answer<Data> => ({
  data,
  errors,
  usage: extensions?.usage ?? null,
  stale: extensions?.stale ?? null,
  ...(extensions?.plan && { plan: extensions.plan }),
  ...(extensions?.live && { live: extensions.live }),
})

/** Fields that the graph fills without a call: a type, and ids that the query or the settings name. */
const givenName = /^(__typename|id|.*Id)$/

/** Whether there are only errors: everything requested is null, apart from fields that were known before. */
export const hasNothing = ({ data, errors }: Pick<Answer<unknown>, 'data' | 'errors'>): boolean =>
  data === null || (errors.length > 0 && !isSomething(data))

function isSomething(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined && value !== null
  // A list has been found, also one of ids alone.
  if (Array.isArray(value)) return value.length === 0 || value.some((one) => one !== null)
  return Object.entries(value).some(([name, part]) => !givenName.test(name) && isSomething(part))
}
