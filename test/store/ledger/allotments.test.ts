import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Whose } from '../../../src/money/shared-ledger.ts'
import { Allotments } from '../../../src/store/ledger/allotments.ts'
import type { Reply, Wish } from '../../../src/store/ledger/allotments.ts'

const whose: Whose = { month: '2026-02', kind: 'key', name: 'some key' }
const other = { ...whose, name: 'another key' }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

/** The allotments of a process of two, and what it has wished for and been told. Redis grants every wish. */
function allotments(limit: number | null = 100) {
  const world = { used: 20, isAway: false, isRecalled: false, others: 0, beforeReply: () => {} }
  const wishes: Pick<Wish, 'holds' | 'most'>[] = []
  const told: (readonly [tokens: number, ms: number])[] = []
  const numbers: number[] = []
  const held = new Allotments({
    limitOf: () => limit,
    usedOf: () => world.used,
    instances: () => 2,
    async send(sent, number): Promise<readonly Reply[]> {
      await Promise.resolve()
      if (world.isAway) throw new Error('Redis is away.')
      numbers.push(number)
      wishes.push(...sent.map(({ holds, most }) => ({ holds, most })))
      const { others, isRecalled } = world
      world.beforeReply()
      return sent.map(({ whose: of, most }) => ({ whose: of, own: most, others, isRecalled }))
    },
    onAllotted: (_whose, tokens, until) => void told.push([tokens, until - performance.now()]),
  })
  const use = async (tokens: number, of = whose) => {
    held.use([{ whose: of, tokens }])
    await vi.advanceTimersByTimeAsync(10)
  }
  return { world, wishes, told, numbers, held, use }
}

test('a budget that is used for the first time is asked for its part of the half that is left', async () => {
  const { wishes, told, use } = allotments()
  await use(5)
  await use(5)
  expect(wishes).toEqual([{ holds: 0, most: 20 }])
  expect(told).toEqual([[20, 6_000]])
})

test('nothing is asked of a budget without a limit, or if it would cover no reservation', async () => {
  const unlimited = allotments(null)
  await unlimited.use(5)
  expect(unlimited.wishes).toEqual([])
  const { told, use } = allotments()
  await use(21)
  expect(told).toEqual([[0, 6_000]])
})

test('what is held becomes less before Redis hears of it, and stays so if the reply is lost', async () => {
  const { world, wishes, told, held, use } = allotments()
  await use(5)
  world.used = 60
  world.isAway = true
  await expect(held.renew()).rejects.toThrow('Redis is away.')
  expect(told).toEqual([
    [20, 6_000],
    [10, 6_000],
  ])
  world.isAway = false
  world.used = 20
  await held.renew()
  expect(wishes.at(-1)).toEqual({ holds: 10, most: 20 })
  expect(told.at(-1)?.[0]).toBe(20)
})

test('nothing is held any more if it was not renewed in time', async () => {
  const { wishes, held, use } = allotments()
  await use(5)
  await vi.advanceTimersByTimeAsync(6_000)
  await held.renew()
  expect(wishes.at(-1)).toEqual({ holds: 0, most: 20 })
})

test('what others need is given back by a wish of its own, and a later grant does not bring it back', async () => {
  const { world, wishes, told, held, use } = allotments()
  await use(5)
  world.isRecalled = true
  await held.renew()
  expect(wishes).toEqual([
    { holds: 0, most: 20 },
    { holds: 20, most: 20 },
    { holds: 0, most: 0 },
  ])
  held.hear([{ whose, own: 15, isRecalled: true }])
  expect(told.at(-1)?.[0]).toBe(0)
})

test('a grant out of what is held makes it less', async () => {
  const { told, held, use } = allotments()
  await use(5)
  held.hear([{ whose, own: 15, isRecalled: false }])
  expect(told.map(([tokens]) => tokens)).toEqual([20, 15])
})

test('what may be spent while Redis is away is not held when it is back, also if a late reply says so', async () => {
  const { world, wishes, told, held, use } = allotments()
  await use(5)
  world.beforeReply = () => held.release()
  await held.renew()
  expect(told).toHaveLength(1)
  world.beforeReply = () => {}
  await held.renew()
  expect(wishes.at(-1)).toEqual({ holds: 0, most: 20 })
})

test('a call waits until the others have given back what they hold, and not for one that does not', async () => {
  const { world, held, use } = allotments()
  await use(5)
  const wait = async () => {
    const from = performance.now()
    const waited = held.recalled().then(() => performance.now() - from)
    for (let steps = 0; steps < 40; steps += 1) {
      await vi.advanceTimersByTimeAsync(100)
      if (steps === 4) world.others -= 30
    }
    return waited
  }
  held.hear([{ whose, own: 0, isRecalled: true }])
  world.isRecalled = true
  world.others = 30
  expect(await wait()).toBe(600)
  world.others = 40
  held.hear([{ whose, own: 0, isRecalled: true }])
  expect(await wait()).toBe(2_500)
})

test('a call stops waiting for the others as soon as Redis goes away', async () => {
  const { world, held, use } = allotments()
  await use(5)
  world.isRecalled = true
  world.others = 30
  held.hear([{ whose, own: 0, isRecalled: true }])
  const from = performance.now()
  const waited = held.recalled().then(() => performance.now() - from)
  await vi.advanceTimersByTimeAsync(250)
  held.release()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await waited).toBe(250)
})

test('wishes are numbered, and made for the latest 200 budgets, until nothing was spent for ten minutes', async () => {
  const { wishes, numbers, held, use } = allotments()
  await use(5, other)
  for (let nth = 0; nth < 200; nth += 1) held.use([{ whose: { ...whose, name: `key ${nth}` }, tokens: 1 }])
  await vi.advanceTimersByTimeAsync(10)
  expect(wishes).toHaveLength(201)
  await vi.advanceTimersByTimeAsync(600_001)
  await held.renew()
  expect(wishes).toHaveLength(201)
  expect(numbers).toEqual([1, 2])
})

test('a further budget, or one that is recalled, is renewed alone, and all with a heartbeat', async () => {
  const { wishes, held, use } = allotments()
  await use(5)
  await use(5, other)
  expect(wishes).toHaveLength(2)
  held.hear([{ whose, own: 20, isRecalled: true }])
  await vi.advanceTimersByTimeAsync(10)
  expect(wishes).toHaveLength(3)
  await held.renew()
  expect(wishes).toHaveLength(5)
})

test('one large call is forgotten after a minute', async () => {
  const { wishes, held, use } = allotments()
  await use(1_000)
  for (let beats = 0; beats < 40; beats += 1) await held.renew()
  expect([wishes[0]?.most, wishes.at(-1)?.most]).toEqual([0, 20])
})

test('a process that ends gives everything back', async () => {
  const { wishes, held, use } = allotments()
  await use(5)
  await held.close()
  expect(wishes.at(-1)).toEqual({ holds: 0, most: 0 })
})
