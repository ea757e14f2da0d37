export type RefusalCode =
  | 'missing_key'
  | 'invalid_key'
  | 'access_denied'
  | 'quota_exceeded'
  | 'malformed_request'
  | 'request_too_large'
  | 'unknown_operation'
  | 'missing_argument'
  | 'invalid_argument'
  | 'answer_too_large'
  | 'no_conferences'
  | 'unavailable'
  | 'internal_error'

/** A request that is refused with an error body (specification §7). Clients read the message. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}
