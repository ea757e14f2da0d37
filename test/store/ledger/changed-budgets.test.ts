import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TestContext } from 'vitest'
import { numbersFrom } from '../../../bench/day/random.ts'
import { OutboxFile } from '../../../src/money/files/outbox.ts'
import { hasRedis, withoutRedis } from '../redis/redis-server.ts'
import { allotted } from './allotted.ts'
import { smallInstances } from './small-instances.ts'

/** Opens the outbox of one folder, each time as the next process does. */
function outboxes({ onTestFinished }: TestContext): () => OutboxFile {
  const folder = mkdtempSync(join(tmpdir(), 'changed-budgets-'))
  let opened: OutboxFile | undefined
  onTestFinished(() => {
    opened?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    opened?.close()
    return (opened = new OutboxFile(folder))
  }
}

const budgets = (...of: readonly (readonly [string, number])[]) => new Map(of)

describe.skipIf(!hasRedis)(`client budgets that change in the middle of a month${withoutRedis}`, () => {
  test('a new budget counts what its client has spent before', async (context) => {
    const { started } = await smallInstances(context)
    const before = await started()
    expect([await before.calls(5), await before.calls(2, 'app')]).toEqual([5, 2])
    const after = await started({ clientBudgets: budgets(['web', 35]) })
    expect(after.left()).toBe(10)
    expect(await before.calls(1)).toBe(1) // it has not been restarted yet
    expect(await after.calls(3)).toBe(1)
    expect(after.left()).toBe(0)
  })

  test('a new budget of all others counts the clients without one', async (context) => {
    const { started } = await smallInstances(context)
    const before = await started({ clientBudgets: budgets(['web', 100]) })
    expect([await before.calls(5), await before.calls(1, 'app'), await before.calls(1, '')]).toEqual([
      5, 1, 1,
    ])
    const after = await started({ clientBudgets: budgets(['web', 100], ['*', 20]) })
    expect([after.left('app'), after.left('')]).toEqual([10, 10])
    expect([await after.calls(2, 'new'), await after.calls(1, 'app'), await after.calls(1)]).toEqual([
      2, 0, 1,
    ])
  })

  test('a client that gets one leaves that of all others, and takes along what it has spent', async (context) => {
    const { started } = await smallInstances(context)
    const before = await started({ clientBudgets: budgets(['*', 20]) })
    expect([await before.calls(3), await before.calls(1, 'app'), before.left()]).toEqual([3, 1, 0])
    const after = await started({ clientBudgets: budgets(['*', 20], ['web', 20]) })
    expect([after.left(), after.left('app')]).toEqual([5, 15])
    const back = await started({ clientBudgets: budgets(['*', 20]) })
    expect([back.left(), back.left('app')]).toEqual([0, 0])
  })

  test('a call that clients with and without a budget share counts for each by its part', async (context) => {
    const { started } = await smallInstances(context)
    const before = await started({ clientBudgets: budgets(['web', 100]) })
    expect(await before.call('web', 'app', 'tv', 'pos', 'kiosk')).toBe(true)
    const after = await started({ clientBudgets: budgets(['app', 100], ['*', 100]) })
    expect([after.left('app'), after.left('web')]).toEqual([99, 96])
  })

  test('without Redis at the start, a new budget may have spent as much as all clients together', async (context) => {
    const { redis, started } = await smallInstances(context)
    const outbox = outboxes(context)
    const before = await started({ clientBudgets: budgets(['app', 100], ['*', 100]), outbox: outbox() })
    expect([await before.calls(5), await before.calls(3, 'app')]).toEqual([5, 3])
    await allotted(redis, 2)
    await redis.kill()
    expect(await before.calls(1)).toBe(1) // it goes alone, and saves what it knows
    const after = await started({
      clientBudgets: budgets(['app', 100], ['web', 50], ['*', 100]),
      outbox: outbox(),
    })
    // 9 calls by all. The last one waits in the outbox, and counts for its own client alone.
    expect([after.left('app'), after.left('web'), after.left('tv')]).toEqual([85, 5, 60])
  })

  test('without Redis at the start, a budget that comes back may have spent as much, too', async (context) => {
    const { redis, started } = await smallInstances(context)
    const outbox = outboxes(context)
    const before = await started({ clientBudgets: budgets(['web', 100]), outbox: outbox() })
    expect(await before.calls(1)).toBe(1)
    await before.store.close() // its next heartbeat would save its sums again
    const without = await started({ clientBudgets: budgets(['app', 100]), outbox: outbox() })
    expect(await without.calls(15)).toBe(15)
    await redis.kill()
    await without.calls(1) // it goes alone, and saves what it knows
    const after = await started({ clientBudgets: budgets(['web', 100]), outbox: outbox() })
    expect(after.left()).toBe(15)
  })

  test('of three instances with different budgets, each knows what all have spent', async (context) => {
    const { started } = await smallInstances(context)
    const random = numbersFrom(7)
    const clients = ['', 'web', 'app', 'tv', '*', 'a/b "c"']
    const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T
    const anyBudgets = () =>
      budgets(
        ...['*', ...clients.filter((name) => name !== '*' && name !== '')]
          .filter(() => random() < 0.5)
          .map((name) => [name, 10_000] as const),
      )
    const spent = new Map<string, number>()
    let instances = await Promise.all([0, 1, 2].map(() => started({ clientBudgets: anyBudgets() })))
    for (let nth = 0; nth < 150; nth += 1) {
      if (nth % 30 === 29) instances = [...instances.slice(1), await started({ clientBudgets: anyBudgets() })]
      const shared = clients.filter(() => random() < 0.3)
      const [first = pick(clients), ...others] = shared
      expect(await pick(instances).call(first, ...others)).toBe(true)
    }
    const rows = await instances[0]?.store.spending('2026-02-01', '2026-02-31')
    for (const { client, tokens } of rows ?? []) spent.set(client, (spent.get(client) ?? 0) + tokens)
    expect([...spent.values()].reduce((sum, tokens) => sum + tokens, 0)).toBe(750)
    for (let nth = 0; nth < 10; nth += 1) {
      const clientBudgets = anyBudgets()
      const { left } = await started({ clientBudgets })
      const others = clients.filter((name) => name === '*' || !clientBudgets.has(name))
      const sumOf = (names: readonly string[]) => names.reduce((sum, name) => sum + (spent.get(name) ?? 0), 0)
      for (const client of clients) {
        const own = others.includes(client) ? (clientBudgets.has('*') ? others : null) : [client]
        expect(left(client)).toBe(own && 10_000 - sumOf(own))
      }
    }
  })
})
