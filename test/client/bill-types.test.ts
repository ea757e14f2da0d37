import { expectTypeOf, test } from 'vitest'
import type { Usage as ClientUsage } from '../../src/client/answer.ts'
import type { PlanEntry as ClientPlanEntry } from '../../src/client/plan.ts'
import type { PlanEntry, Usage } from '../../src/account/plan-entry.ts'

test('the client has a type for everything that the server tells of a bill', () => {
  expectTypeOf<ClientPlanEntry>().toEqualTypeOf<PlanEntry>()
  expectTypeOf<Omit<ClientUsage, 'remaining'>>().toEqualTypeOf<Usage>()
})
