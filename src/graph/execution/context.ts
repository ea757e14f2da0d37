import type { Context } from '../context.ts'
import type { ExecutionBudget } from './budget.ts'
import type { FieldTimes } from './field-times.ts'

/** The context of every execution. */
export interface ExecutionContext extends Context {
  readonly budget: ExecutionBudget
  /** Set if the times of its fields are asked for. */
  times?: FieldTimes | undefined
}
