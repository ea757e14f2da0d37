import { buildSchema, execute, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { defaultExecutionLimits, ExecutionBudget, sliceMs } from '../../../src/graph/execution/budget.ts'
import { executeUnpriced, jsonOf } from '../../../src/server/execution.ts'
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

const schema = buildSchema(`
  type Query { wide: [Item!]! deep: [Item!]! late: [Item!]! event: Item! }
  type Subscription { event: Item! }
  scalar Long
  type Item { a: Int b: Int below: [Item!]! later: Item long: Long }
`)

type FieldOf = <V>(value: V) => () => V

interface Moved {
  /** A field whose execution takes `msOfField`. */
  readonly field: FieldOf
  /** A value whose printing takes `msOfField`. */
  readonly long: () => unknown
}

/** Executes a document by a clock that its fields move. Returns the longest time without a turn of the event loop. */
async function longestSlice(text: string, rootOf: (moved: Moved) => unknown, mostMs = 1_000_000) {
  let [now, last, longest, turns] = [0, 0, 0, 0]
  const turn = () => {
    turns += 1
    longest = Math.max(longest, now - last)
    last = now
    timer = setImmediate(turn)
  }
  const field: FieldOf = (value) => () => {
    now += msOfField
    return value
  }
  const toJSON = () => {
    now += msOfField
    return 'x'.repeat(1_000)
  }
  const clocks = { wall: () => now, cpu: () => now, values: 500 }
  const limits = { ...defaultExecutionLimits, MAX_EXECUTION_MS: mostMs }
  const contextValue = {
    clientRequest: new ClientRequest(graph.upstream.accountOf('key')),
    defaults: basketball,
    budget: new ExecutionBudget(limits, 100, clocks),
  }
  let timer = setImmediate(turn)
  const result = await executeUnpriced({
    schema,
    document: parse(text),
    contextValue,
    rootValue: rootOf({ field, long: () => ({ toJSON }) }),
  })
  clearImmediate(timer)
  const calls = graph.calls.take()
  return { longest: Math.max(longest, now - last), turns, now, text: jsonOf(result), calls }
}

const leaf = (field: FieldOf) => ({ a: field(1), b: field(2) })

/** Objects in lists of eight, so many levels deep. */
const nested = (field: FieldOf, levels: number): object => ({
  ...leaf(field),
  below: field(levels === 0 ? [] : items(8, () => nested(field, levels - 1))),
})

const below = (levels: number): string => (levels === 0 ? 'a b' : `a b below { ${below(levels - 1)} }`)

/** The same values, of which none takes time. */
const unmoved: Moved = { field: (value) => () => value, long: () => 'x'.repeat(1_000) }

/** GraphQL's own executor executes an event as a query. */
const asQuery = (text: string) => parse(text.replace('subscription { event', 'query { event'))

const lists = (length: number, long: Moved['long']) =>
  items(length, (nth) => ({ a: nth, long: long(), below: items(3, () => ({ long: long(), below: [] })) }))

const expectSlices = ({ longest, turns, now }: Awaited<ReturnType<typeof longestSlice>>) => {
  expect(now).toBeGreaterThan(9 * sliceMs)
  expect(longest).toBeLessThanOrEqual(sliceMs + mostBetween * msOfField + 0.001)
  expect(turns).toBeGreaterThanOrEqual(Math.floor(now / (sliceMs + mostBetween * msOfField)))
}

describe('an execution never goes on for more than 10 ms, and the fields between two looks at the clock', () => {
  test.each<[string, string, (moved: Moved) => unknown]>([
    ['a wide list', '{ wide { a b } }', ({ field }) => ({ wide: field(items(5_000, () => leaf(field))) })],
    [
      'lists in lists',
      `{ deep { ${below(4)} } }`,
      ({ field }) => ({ deep: field(items(2, () => nested(field, 4))) }),
    ],
    [
      'fields under many names',
      `{ wide { ${items(100, (nth) => `a${nth}: a`).join(' ')} } }`,
      ({ field }) => ({ wide: field(items(100, () => leaf(field))) }),
    ],
    [
      'objects that are waited for',
      '{ late { later { a b } } }',
      ({ field }) => ({
        late: field(items(4_700, () => ({ later: () => Promise.resolve(leaf(field)) }))),
      }),
    ],
    [
      'an event of a subscription',
      `subscription { event { ${below(4)} } }`,
      ({ field }) => ({ event: field(nested(field, 4)) }),
    ],
  ])('%s', async (_what, text, rootOf) => {
    const executed = await longestSlice(text, rootOf)
    expectSlices(executed)
    expect(executed.text).toMatch(/^{"data":/)
    expect(executed.calls).toEqual([])
  })
})

describe('the printing of an answer never goes on for more than 10 ms, and what is between two looks at the clock', () => {
  test.each<[string, string, (moved: Moved) => unknown]>([
    ['a wide list', '{ wide { long } }', ({ long }) => ({ wide: items(10_000, () => ({ long: long() })) })],
    [
      'lists in lists',
      '{ wide { a below { long below { a } } long } }',
      ({ long }) => ({ wide: lists(2_500, long) }),
    ],
    [
      'fields under many names',
      `{ wide { ${items(100, (nth) => `a${nth}: long`).join(' ')} } }`,
      ({ long }) => ({ wide: items(100, () => ({ long: long() })) }),
    ],
    [
      'an event of a subscription',
      'subscription { event { below { below { long } long } } }',
      ({ long }) => ({ event: { below: lists(2_500, long) } }),
    ],
  ])('%s', async (_what, text, rootOf) => {
    const printing = await longestSlice(text, rootOf)
    expectSlices(printing)
    const { data } = await execute({ schema, document: asQuery(text), rootValue: rootOf(unmoved) })
    expect(printing.text).toBe(JSON.stringify({ data }))
    expect(printing.calls).toEqual([])
  })

  test('and not for more than MAX_EXECUTION_MS in all', async () => {
    const { text, now, calls } = await longestSlice(
      '{ wide { long } }',
      ({ long }) => ({ wide: items(10_000, () => ({ long: long() })) }),
      50,
    )
    expect(JSON.parse(text)).toMatchObject({
      data: null,
      errors: [{ message: expect.stringContaining('MAX_EXECUTION_MS') as string }],
    })
    expect(now).toBeLessThan(70)
    expect(calls).toEqual([])
  })

  test('and answers that are printed in turns stay apart', async () => {
    const rootOf =
      (nth: number) =>
      ({ long }: Moved) => ({ wide: items(5_000, () => ({ a: nth, long: long() })) })
    const printing = await Promise.all(
      [1, 2, 3].map((nth) => longestSlice('{ wide { a long } }', rootOf(nth))),
    )
    for (const [index, { text, turns, calls }] of printing.entries()) {
      expect(text).toBe(JSON.stringify({ data: rootOf(index + 1)(unmoved) }))
      expect(turns).toBeGreaterThanOrEqual(3)
      expect(calls).toEqual([])
    }
  })
})
