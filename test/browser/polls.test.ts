import { expect, test } from 'vitest'
import { pollsOf } from '../../graphiql/src/polls.ts'

const call = (at: number, ms: number) => ({
  operation: 'game/read',
  ids: 1,
  bytes: 800,
  tokens: 1,
  ms,
  at,
  source: 'UPSTREAM',
  field: 'Subscription.scores',
})

test('calls are grouped by the pauses between a subscription’s polls, however long a call takes', () => {
  const [first, beside, slow, next] = [call(5, 20), call(6, 2_000), call(2_500, 40), call(17_000, 30)]
  expect(pollsOf([next, beside, first, slow])).toEqual([[first, beside, slow], [next]])
})

test('no calls are no look', () => {
  expect(pollsOf([])).toEqual([])
})
