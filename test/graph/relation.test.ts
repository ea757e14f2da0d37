import { describe, expect, test } from 'vitest'
import type { Context } from '../../src/graph/context.ts'
import { Loader } from '../../src/loading/loader.ts'
import { byGroup } from '../../src/loading/ask-groups.ts'
import { relation } from '../../src/graph/relation.ts'
import { pending, resolveOne } from '../../src/graph/many-answers.ts'
import { slot, slots } from '../../src/rows/slot.ts'
import { UpstreamError } from '../../src/errors/errors.ts'
import { operations } from '../../src/specification/operations.ts'
import { ClientRequest } from '../../src/account/client-request.ts'
import { graphOver } from './harness.ts'

interface NameWanted {
  readonly what: string
  readonly key: string
}

const names = slot<string>('test names', ({ fresh }) => fresh.reference)

/** Two calls a turn: one for keys that begin with a, one for the others, which fails where a key is bad. */
function lookup(asked: (readonly string[])[]) {
  return new Loader<NameWanted, string>('test names', (account, asks) =>
    byGroup(
      asks,
      ({ key }) => (key.startsWith('a') ? 'a' : 'others'),
      async (group) => {
        asked.push([...new Set(group.map(({ wanted }) => wanted.key))])
        if (group.some(({ wanted }) => wanted.key === 'bad')) throw new UpstreamError('broken')
        for (const { wanted } of group)
          names.put(
            account,
            account.rows.entry('team', wanted.key),
            wanted.key.toUpperCase(),
            account.upstream.moment(),
          )
      },
    ),
  )
}

const declared = (asked: (readonly string[])[]) =>
  relation({
    needs: {},
    loader: lookup(asked),
    operation: operations.readTeams,
    place: (key: string, _args: object, { clientRequest: request }) => ({
      owner: request.account.rows.entry('team', key),
      slot: names,
      wanted: { what: key, key },
      scope: {},
    }),
    answer: (name) => `${name}!`,
  })

function contextOf(): Context {
  const { upstream } = graphOver(async () => ({ status: 200, headers: {}, body: '{}', bytes: 2 }))
  return { clientRequest: new ClientRequest(upstream.accountOf('key')), defaults: {} }
}

const info = { parentType: { name: 'Test' }, fieldName: 'name' } as never // a relation names its field, and no more

describe('a relation', () => {
  test('resolves many parents with one promise for each call, and each call’s failure is its own', async () => {
    const asked: (readonly string[])[] = []
    const context = contextOf()
    const { values, branches } = declared(asked).relation.resolveMany(
      ['a1', 'bad', 'a2', 'b'],
      {},
      context,
      info,
    )
    expect(values).toEqual([pending, pending, pending, pending])
    const settled = await Promise.all(
      ((await branches) ?? []).map(async ({ indices, values: come }) => ({ indices, values: await come })),
    )
    expect(settled).toEqual([
      { indices: [0, 2], values: ['A1!', 'A2!'] },
      { indices: [1, 3], values: [new UpstreamError('broken'), new UpstreamError('broken')] },
    ])
    expect(asked).toEqual([
      ['a1', 'a2'],
      ['bad', 'b'],
    ])
  })

  test('answers at once what is at hand, and joins what is under way', async () => {
    const asked: (readonly string[])[] = []
    const context = contextOf()
    const { relation: many } = declared(asked)
    const first = resolveOne(many, 'a1', {}, context, info)
    const { branches } = many.resolveMany(['a1', 'a2'], {}, context, info)
    expect(await first).toBe('A1!')
    await Promise.all(((await branches) ?? []).map(({ values }) => values))
    expect(asked).toEqual([['a1', 'a2']])
    expect(many.resolveMany(['a2', 'a1'], {}, context, info)).toEqual({
      values: ['A2!', 'A1!'],
      branches: null,
    })
  })

  test('does not ask again in one request for what has failed', async () => {
    const asked: (readonly string[])[] = []
    const context = contextOf()
    const { relation: one } = declared(asked)
    for (let time = 0; time < 2; time += 1)
      await expect(resolveOne(one, 'bad', {}, context, info)).rejects.toThrow('broken')
    expect(asked).toEqual([['bad']])
  })

  test('that forgets a part does not compile', () => {
    const { place, answer } = {
      place: (key: string, _args: object, { clientRequest: request }: Context) => ({
        owner: request.account.rows.entry('team', key),
        slot: names,
        wanted: { what: key, key },
        scope: {},
      }),
      answer: (name: string | null) => name,
    }
    const loader = lookup([])
    const operation = operations.readTeams
    const forgotten = () => [
      // @ts-expect-error: what it needs of its parent
      relation({ loader, operation, place, answer }),
      // @ts-expect-error: who brings it
      relation({ needs: {}, operation, place, answer }),
      // @ts-expect-error: the operation that the plan names
      relation({ needs: {}, loader, place, answer }),
      // @ts-expect-error: where it is kept
      relation({ needs: {}, loader, operation, answer }),
      // @ts-expect-error: what it answers with
      relation({ needs: {}, loader, operation, place }),
      // @ts-expect-error: a value of another type than the slot's
      relation({ needs: {}, loader, operation, place, answer: (count: number | null) => count }),
    ]
    expect(forgotten).toBeTypeOf('function')
  })
})

describe('slots', () => {
  test('of one name are declared once', () => {
    expect(() => slot<number>('test names', ({ fresh }) => fresh.reference)).toThrow('Two slots')
  })

  test('without a freshness do not compile', () => {
    // @ts-expect-error: for how long the value is served
    const forgotten = () => slots<string, string>({ name: 'test forgotten', keyOf: (key) => key })
    expect(forgotten).toBeTypeOf('function')
  })
})
