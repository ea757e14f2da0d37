import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { countFields, KeptPlans } from '../../src/graph/kept-plans.ts'

test('plans are kept by their node, and all are dropped when they have more fields than a sixteenth of the heap', () => {
  const most = Math.min(100e6, getHeapStatistics().heap_size_limit / 16) / 1_000
  const [plans, others] = [new KeptPlans<object, object>(), new KeptPlans<object, object>()]
  const node = {}
  countFields(most + 1) // whatever was counted before
  const [plan, other] = [plans.of(node, () => ({})), others.of(node, () => ({}))]
  countFields(most / 2)
  expect(plans.of(node, () => ({}))).toBe(plan)
  countFields(most)
  expect(plans.of(node, () => ({}))).not.toBe(plan)
  expect(others.of(node, () => ({}))).not.toBe(other)
})
