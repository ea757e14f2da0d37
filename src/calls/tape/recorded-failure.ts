import {
  ConnectionLostError,
  TimeoutError,
  UnavailableError,
  UnsentError,
  UpstreamError,
} from '../../errors/errors.ts'
import type { CodedError } from '../../errors/errors.ts'

/** The failures of a transport, subclasses first. Their class decides the bill and whether the request is repeated. */
const kinds = { UnsentError, TimeoutError, ConnectionLostError, UnavailableError, UpstreamError }

/** A request that failed, as a line of a tape has it. */
export interface WrittenFailure {
  readonly kind: keyof typeof kinds
  readonly message: string
}

/** A failure as a line of a tape has it. */
export function written(failure: CodedError): WrittenFailure {
  const names = Object.keys(kinds) as (keyof typeof kinds)[] // they are listed above
  return {
    kind: names.find((name) => failure instanceof kinds[name]) ?? 'UpstreamError',
    message: failure.message,
  }
}

/** The failure that a line of a tape has. Throws if there is no such kind. */
export function readFailure(line: unknown): CodedError {
  const { kind, message } = line as Partial<WrittenFailure> // each is looked at
  if (kind === undefined || !Object.hasOwn(kinds, kind)) throw new Error('This is not a line of a tape.')
  return new kinds[kind](String(message))
}
