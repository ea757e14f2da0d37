/** The codes of the contract, as clients see them in `extensions.code`. */
export type Code =
  | 'UNAUTHENTICATED'
  | 'ACCESS_DENIED'
  | 'BUDGET_EXCEEDED'
  | 'QUERY_TOO_EXPENSIVE'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_ERROR'
  | 'SCOPE_REQUIRED'
  | 'BAD_USER_INPUT'
  | 'UNSUPPORTED'

/** An error whose message may be shown to a client: it never holds a key, an address or a stack. */
export abstract class CodedError extends Error {
  abstract readonly code: Code
  /** What the call needed, and what was left; only of a call that does not fit. */
  shortage?: Shortage

  /** What clients see in `extensions` beside the code. */
  get details(): object | undefined {
    return this.shortage
  }
}

/** Tokens that a call would reserve, and those that were left for it. */
export interface Shortage {
  readonly needed: number
  readonly remaining: number
}

/** The service refuses the key. */
export class UnauthenticatedError extends CodedError {
  readonly code = 'UNAUTHENTICATED'
}

export const deniedByPlan = 'The API key’s plan does not allow this.'

/** The service refuses the operation to the key's plan. */
export class AccessDeniedError extends CodedError {
  readonly code = 'ACCESS_DENIED'
}

/** Why calls are refused before the shared ledger has been reached: nobody knows what is left of a budget. */
export const unreached =
  'Redis, which has the shared ledger, has not been reached since the start, so no call can be granted. /ready tells why.'

/** Why calls are refused in the first seconds without Redis: others may spend what is left of a budget. */
export const inDoubt =
  'Redis, which has the shared ledger, cannot grant calls now, and this call would cost more than this instance may spend of the token budget without it. Within seconds Redis can, or the instance may spend more.'

/** Why calls are refused near the end of a budget while another instance is cut off, or was killed. */
export const heldByOther =
  'Another instance, which does not answer, may spend what is left of this month’s token budget. Within seconds it answers, or the others may spend that.'

/** The month's budget here, or the service's own token limit, is spent. */
export class BudgetExceededError extends CodedError {
  readonly code = 'BUDGET_EXCEEDED'
}

/** Client budgets are spent. Others that shared the call may still pay for their part. */
export class ClientBudgetExceededError extends BudgetExceededError {
  /** Their names in `CLIENT_BUDGETS`. */
  readonly budgets: readonly string[]

  constructor(
    budgets: readonly string[],
    message = 'The client’s token budget for this month does not allow another call.',
  ) {
    super(message)
    this.budgets = budgets
  }

  /** Whether the call was refused for this request too. */
  isOf({ budget }: { readonly budget: string | null }): boolean {
    return budget !== null && this.budgets.includes(budget)
  }
}

/** The call exceeds the limits of all requests that need it. */
export class QueryTooExpensiveError extends CodedError {
  readonly code = 'QUERY_TOO_EXPENSIVE'
  readonly #refused: ReadonlySet<object>

  constructor(refused: readonly object[]) {
    super(
      'The query has reached its limit of tokens or calls before this field. Select less, or raise the limit.',
    )
    this.#refused = new Set(refused)
  }

  /** Whether only this request could not pay, and no other shared the call. */
  isOnlyOf(request: object): boolean {
    return this.#refused.size === 1 && this.#refused.has(request)
  }
}

/** No complete answer in time. */
export class TimeoutError extends CodedError {
  readonly code = 'UPSTREAM_TIMEOUT'
}

/** The time was up before the request was sent. It costs nothing. */
export class UnsentError extends TimeoutError {}

/** No connection, a reset, status 429 or 5xx. */
export class UnavailableError extends CodedError {
  readonly code = 'UPSTREAM_UNAVAILABLE'
}

/** The service asks to be called again after the call's time is over. */
export class RetryLaterError extends UnavailableError {
  readonly #seconds: number

  constructor(ms: number) {
    const seconds = Math.ceil(ms / 1_000)
    super(`The statistics service is not available. It asks to be called again in ${seconds} seconds.`)
    this.#seconds = seconds
  }

  override get details(): object {
    return { retryAfter: this.#seconds }
  }
}

/** The call was not sent, because the service has not answered others. */
export class PausedError extends UnavailableError {
  constructor() {
    super('The statistics service does not answer at present, so it was not asked.')
  }
}

/** The connection was lost after the request went out: the service may have billed it. */
export class ConnectionLostError extends UnavailableError {}

/** The call was not sent, because all requests that needed it are closed. */
export class ClosedError extends CodedError {
  readonly code = 'UPSTREAM_UNAVAILABLE'

  constructor() {
    super('The call was not sent, because its client is gone.')
  }
}

/** This process has ended its calls, because it stops. They are not tried again. */
export class EndedError extends CodedError {
  readonly code = 'UPSTREAM_UNAVAILABLE'
  readonly isSent: boolean

  constructor(isSent: boolean) {
    super('The call was ended, because the server stops.')
    this.isSent = isSent
  }
}

/** Whether a request never reached the service, so that it cannot have been billed. */
export const isUnsent = (error: unknown): boolean =>
  error instanceof UnsentError ||
  (error instanceof EndedError && !error.isSent) ||
  (error instanceof UnavailableError && !(error instanceof ConnectionLostError))

/** Any other `error` body, or an unusable answer. */
export class UpstreamError extends CodedError {
  readonly code = 'UPSTREAM_ERROR'
}

/** The service understood the request and refused it. */
export class RefusedError extends UpstreamError {
  /** Whether its words are about the arguments. */
  readonly isAboutArguments: boolean
  /** Whether its status says that the address is too long. */
  readonly isAddressTooLong: boolean

  constructor(isAboutArguments: boolean, isAddressTooLong = false) {
    super('The statistics service answered with an error.')
    this.isAboutArguments = isAboutArguments
    this.isAddressTooLong = isAddressTooLong
  }
}

/** The service has no such operation. */
export class UnsupportedError extends CodedError {
  readonly code = 'UNSUPPORTED'
}

/** A request needs an organization, a division or a season that neither its argument nor its scope names. */
export class ScopeRequiredError extends CodedError {
  readonly code = 'SCOPE_REQUIRED'
}

/** The query's own fault. */
export class BadUserInputError extends CodedError {
  readonly code = 'BAD_USER_INPUT'
}

/** No row has what the query names. In a dry run, the rows are made up and need not have it. */
export class NotInRowsError extends BadUserInputError {}

/** No row can have what a field names. It is the field's error, so it is listed once, however many rows the field has. */
export class UnknownNameError extends NotInRowsError {}
