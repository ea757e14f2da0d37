import type { Context } from '../context.ts'
import type { ExecutionBudget } from './budget.ts'

/** The context of every execution. */
export interface ExecutionContext extends Context {
  readonly budget: ExecutionBudget
}
