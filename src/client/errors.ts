import type { FieldError } from './answer.ts'

/** No answer came. Each reason has a class of its own. */
export class NoAnswerError extends Error {
  override readonly name: string = 'NoAnswerError'
}

/** There is no connection, or it broke before the answer was complete. Queries are tried again. */
export class UnreachableError extends NoAnswerError {
  override readonly name = 'UnreachableError'
}

/**
 * The server, or a proxy before it, has no capacity: status 429, 502, 503 or 504. Queries are tried again.
 */
export class OverloadedError extends NoAnswerError {
  override readonly name = 'OverloadedError'
  readonly status: number

  constructor(status: number) {
    super(`Statline is overloaded or restarting (status ${status}).`)
    this.status = status
  }
}

/** Something answered, but not with GraphQL: the address is wrong, or a proxy answers. Not tried again. */
export class NotGraphQLError extends NoAnswerError {
  override readonly name = 'NotGraphQLError'
  readonly status: number

  constructor(status: number, options?: ErrorOptions) {
    super(`The answer is not GraphQL (status ${status}).`, options)
    this.status = status
  }
}

/** The graph answered, but with no data at all. `code` is that of its first error. */
export class QueryError extends Error {
  override readonly name: string = 'QueryError'
  readonly errors: readonly FieldError[]
  readonly code: string | undefined

  constructor(errors: readonly FieldError[]) {
    super(errors[0]?.message ?? 'The query has no answer.')
    this.errors = errors
    this.code = errors[0]?.extensions?.code
  }
}

/** `UNAUTHENTICATED` or `ACCESS_DENIED`: the service refuses the key, or the plan. */
export class AccessError extends QueryError {
  override readonly name = 'AccessError'
}

/** `BUDGET_EXCEEDED` or `QUERY_TOO_EXPENSIVE`: a budget or a limit does not allow the cost. */
export class BudgetError extends QueryError {
  override readonly name = 'BudgetError'
}

/** `UPSTREAM_TIMEOUT`, `UPSTREAM_UNAVAILABLE` or `UPSTREAM_ERROR`: the statistics service fails. */
export class ServiceError extends QueryError {
  override readonly name = 'ServiceError'
}

const kinds: Readonly<Record<string, typeof QueryError>> = {
  UNAUTHENTICATED: AccessError,
  ACCESS_DENIED: AccessError,
  BUDGET_EXCEEDED: BudgetError,
  QUERY_TOO_EXPENSIVE: BudgetError,
  UPSTREAM_TIMEOUT: ServiceError,
  UPSTREAM_UNAVAILABLE: ServiceError,
  UPSTREAM_ERROR: ServiceError,
}

/** The error of the kind that the first error’s code has. */
export const queryErrorOf = (errors: readonly FieldError[]): QueryError =>
  new (kinds[errors[0]?.extensions?.code ?? ''] ?? QueryError)(errors)

/** The reason for an abort as a DOMException, whatever reason was given. */
export function abortErrorOf(signal: AbortSignal): DOMException {
  const { reason } = signal as { reason: unknown }
  if (reason instanceof DOMException && reason.name === 'TimeoutError') return reason
  return new DOMException('The query was aborted.', 'AbortError')
}
