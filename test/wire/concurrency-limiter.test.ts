import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, test } from 'vitest'
import { ConcurrencyLimiter } from '../../src/wire/concurrency-limiter.ts'
import { Waiters } from '../../src/wire/waiters.ts'

const mayJoin = () => true
/** What follows from the end of a call takes a few microtasks. */
async function settled(): Promise<void> {
  for (let nth = 0; nth < 10; nth += 1) await Promise.resolve()
}

/** A limiter of one call at a time, whose calls end when told to. Notes the order in which they are made. */
function oneByOne() {
  const limiter = new ConcurrencyLimiter(1)
  const made: string[] = []
  const ends: (() => void)[] = []
  return {
    made,
    run(name: string, waiters: Waiters, operation = 'team/getStats') {
      const call = () => {
        made.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      }
      return limiter.run({ operation, waiters, deadline: null, mayJoin }, call)
    },
    async endAll() {
      for (let end = ends.shift(); end; end = ends.shift()) {
        end()
        await settled()
      }
    },
  }
}

describe('calls that wait', () => {
  test('are made in the trace of the request that asked, not of the call whose end starts them', async () => {
    const limiter = new ConcurrencyLimiter(1)
    const trace = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    const call = async () => void seen.push(trace.getStore())
    const ask = () =>
      limiter.run({ operation: 'team/read', waiters: new Waiters([{}]), deadline: null, mayJoin }, call)
    await Promise.all(['a', 'b', 'c'].map((name) => trace.run(name, ask)))
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  test('are made in turns of the requests that need them, in the order in which these came', async () => {
    const { made, run, endAll } = oneByOne()
    const [a, b, c] = [{}, {}, {}]
    for (const name of ['a1', 'a2', 'a3']) void run(name, new Waiters([a]))
    for (const name of ['b1', 'b2']) void run(name, new Waiters([b]))
    void run('c1', new Waiters([c]))
    await endAll()
    expect(made).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })

  test('are made once, in the first turn of any request that needs them or joins while they wait', async () => {
    const { made, run, endAll } = oneByOne()
    const [a, b, c] = [{}, {}, {}]
    const shared = new Waiters([a])
    for (const name of ['a1', 'a2', 'a3']) void run(name, new Waiters([a]))
    void run('a4', shared)
    void run('b1', new Waiters([b, c]))
    shared.add(b)
    shared.add(c)
    void run('c1', new Waiters([c]))
    await endAll()
    // The turn of c is after that of b, in which b1 was made.
    expect(made).toEqual(['a1', 'a2', 'b1', 'a4', 'a3', 'c1'])
  })

  test('of another operation are not made later because one operation has many requests', async () => {
    const { made, run, endAll } = oneByOne()
    for (let nth = 0; nth < 10; nth += 1) void run(`stats${nth}`, new Waiters([{}]))
    void run('read', new Waiters([{}]), 'team/read')
    await endAll()
    expect(made.indexOf('read')).toBeLessThanOrEqual(2)
  })

  test('of ten thousand requests take turns too', async () => {
    const { made, run, endAll } = oneByOne()
    const first = new Waiters([{}])
    for (const name of ['first', 'second', 'third']) void run(name, first)
    const others = Array.from({ length: 10_000 }, (_, nth) => `${nth}`)
    for (const name of others) void run(name, new Waiters([{}]))
    await endAll()
    expect(made).toEqual(['first', 'second', ...others, 'third'])
  })
})
