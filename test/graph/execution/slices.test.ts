import { buildSchema, parse } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { defaultExecutionLimits, ExecutionBudget, sliceMs } from '../../../src/graph/execution/budget.ts'
import { executeUnpriced } from '../../../src/server/execution.ts'
import { ClientRequest } from '../../../src/account/client-request.ts'
import { basketball, graphOver } from '../harness.ts'

/** Milliseconds of the clock for a field. */
const msOfField = 0.01

/** Between two looks at the clock: fields whose values are fewer than 500, and a part of 100 objects. */
const mostBetween = 200

const graph = graphOver(async () => {
  throw new Error('Nothing is asked of the service.')
})

/** Items of a list, whose fields are resolvers of their own. */
const items = (count: number, item: (nth: number) => unknown) =>
  Array.from({ length: count }, (_, nth) => item(nth))

/** Executes a document by a clock that its fields move. Returns the longest time without a turn of the event loop. */
async function longestSlice(
  schema: GraphQLSchema,
  text: string,
  rootOf: (field: <V>(value: V) => () => V) => unknown,
) {
  let [now, last, longest, turns] = [0, 0, 0, 0]
  const turn = () => {
    turns += 1
    longest = Math.max(longest, now - last)
    last = now
    timer = setImmediate(turn)
  }
  const field =
    <V>(value: V) =>
    () => {
      now += msOfField
      return value
    }
  const clocks = { wall: () => now, cpu: () => now, values: 500 }
  const limits = { ...defaultExecutionLimits, MAX_EXECUTION_MS: 1_000_000 }
  const contextValue = {
    clientRequest: new ClientRequest(graph.upstream.accountOf('key')),
    defaults: basketball,
    budget: new ExecutionBudget(limits, 100, clocks),
  }
  let timer = setImmediate(turn)
  const { errors } = await executeUnpriced({
    schema,
    document: parse(text),
    contextValue,
    rootValue: rootOf(field),
  })
  clearImmediate(timer)
  return { longest: Math.max(longest, now - last), turns, now, errors, calls: graph.calls.take() }
}

const schema = buildSchema(`
  type Query { wide: [Item!]! deep: [Item!]! late: [Item!]! }
  type Subscription { event: Item! }
  type Item { a: Int b: Int below: [Item!]! later: Item }
`)

type FieldOf = <V>(value: V) => () => V

const leaf = (field: FieldOf) => ({ a: field(1), b: field(2) })

/** Objects in lists of eight, so many levels deep. */
const nested = (field: FieldOf, levels: number): object => ({
  ...leaf(field),
  below: field(levels === 0 ? [] : items(8, () => nested(field, levels - 1))),
})

const below = (levels: number): string => (levels === 0 ? 'a b' : `a b below { ${below(levels - 1)} }`)

describe('an execution never goes on for more than 10 ms, and the fields between two looks at the clock', () => {
  test.each<[string, string, (field: FieldOf) => unknown]>([
    ['a wide list', '{ wide { a b } }', (field) => ({ wide: field(items(5_000, () => leaf(field))) })],
    [
      'lists in lists',
      `{ deep { ${below(4)} } }`,
      (field) => ({ deep: field(items(2, () => nested(field, 4))) }),
    ],
    [
      'fields under many names',
      `{ wide { ${items(100, (nth) => `a${nth}: a`).join(' ')} } }`,
      (field) => ({ wide: field(items(100, () => leaf(field))) }),
    ],
    [
      'objects that are waited for',
      '{ late { later { a b } } }',
      (field) => ({
        late: field(items(4_700, () => ({ later: () => Promise.resolve(leaf(field)) }))),
      }),
    ],
    [
      'an event of a subscription',
      `subscription { event { ${below(4)} } }`,
      (field) => ({ event: field(nested(field, 4)) }),
    ],
  ])('%s', async (_what, text, rootOf) => {
    const { longest, turns, now, errors, calls } = await longestSlice(schema, text, rootOf)
    expect(errors).toBeUndefined()
    expect(now).toBeGreaterThan(9 * sliceMs)
    expect(longest).toBeLessThanOrEqual(sliceMs + mostBetween * msOfField + 0.001)
    expect(turns).toBeGreaterThanOrEqual(Math.floor(now / (sliceMs + mostBetween * msOfField)))
    expect(calls).toEqual([])
  })
})
