import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { schema } from '../../src/schema.ts'
import { startSample } from './harness.ts'
import type { Sample } from './harness.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const wrong = Array.from({ length: 2_000 }, (_, nth) => `wrong ${nth}`)
const inRepresentations = (of: (id: string) => object) =>
  wrong.map((id) => ({ __typename: 'Team', ...of(id) }))

test.each([
  ['teams', 'query ($of: [ID!]!) { teams(ids: $of) { name } }', wrong],
  ['nodes', 'query ($of: [ID!]!) { nodes(ids: $of) { id } }', wrong],
  [
    '_entities',
    'query ($of: [_Any!]!) { _entities(representations: $of) { __typename } }',
    inRepresentations((teamId) => ({ teamId })),
  ],
  [
    '_entities',
    'query ($of: [_Any!]!) { _entities(representations: $of) { __typename } }',
    inRepresentations(() => ({})),
  ],
])('2,000 wrong ids make as many errors as an answer lists: %s', async (name, text, of) => {
  const field = schema.getQueryType()?.getFields()[name]
  if (!field?.resolve) throw new Error(`There is no resolver of ${name}.`)
  const resolve = vi.spyOn(field, 'resolve' as never) as ReturnType<typeof vi.fn> // an optional method
  const graph = sample.graph()
  const { data, errors = [] } = await graph.query<Record<string, unknown>>(text, { variables: { of } })
  const values = (await resolve.mock.results[0]?.value) as readonly unknown[] // it returns a list
  resolve.mockRestore()
  const failed = (await Promise.allSettled(values)).filter(({ status }) => status === 'rejected')
  expect(failed).toHaveLength(2_000)
  expect(new Set(failed.map((one) => 'reason' in one && one.reason)).size).toBe(100)
  expect(data[name]).toEqual(wrong.map(() => null))
  expect(errors.map(({ path }) => path?.[1])).toEqual([...Array(100).keys(), 99])
  expect(errors.map(({ extensions }) => extensions?.code)).toEqual(errors.map(() => 'BAD_USER_INPUT'))
  expect(errors.at(-1)?.message).toBe('1900 more errors are not listed.')
  expect(graph.calls.take()).toEqual([])
})
