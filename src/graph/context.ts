import type { Request } from '../upstream/request.ts'
import type { Scope } from './scope.ts'

/** What every resolver is given. */
export interface Context {
  readonly client: Request
  /** The league that serves where neither an argument nor the scope names one. */
  readonly defaults: Scope
}
