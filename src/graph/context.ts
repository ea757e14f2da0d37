import type { ClientRequest } from '../account/client-request.ts'
import type { Scope } from './scope.ts'

/** The context of every resolver. */
export interface Context {
  readonly clientRequest: ClientRequest
  /** The default league, used if neither an argument nor the scope names one. */
  readonly defaults: Scope
}
