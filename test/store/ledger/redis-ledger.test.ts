import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { noBill } from '../../../src/money/bill.ts'
import { isRefusal } from '../../../src/money/booked.ts'
import type { Refusal } from '../../../src/money/booked.ts'
import { noClientBudgets } from '../../../src/money/client-budgets.ts'
import type { ClientBudgets } from '../../../src/money/client-budgets.ts'
import { openShared } from '../../../src/money/open-ledger.ts'
import { MemoryOutbox, OutboxFile } from '../../../src/money/files/outbox.ts'
import type { Outbox } from '../../../src/money/files/outbox.ts'
import type { Prepaid } from '../../../src/money/prepaid.ts'
import type { Purpose } from '../../../src/money/purpose.ts'
import type { Change, Spending } from '../../../src/money/ledger-store.ts'
import { refusedSender } from '../../../src/server/refused-sender.ts'
import { AnswerRedis } from '../../../src/store/answers/answer-redis.ts'
import { RedisAwayError, RedisConnection } from '../../../src/store/redis/connection.ts'
import type { LedgerTimes } from '../../../src/store/ledger/ledger-times.ts'
import { RedisLedger } from '../../../src/store/ledger/redis-ledger.ts'
import { startSample, today, teamsOfToday } from '../../graph/harness.ts'
import type { Between, Graph, GraphOptions, Sample } from '../../graph/harness.ts'
import { sampleNow } from '../../sample.setup.ts'
import { allotted } from './allotted.ts'
import { endedSoon, heldPatience, quickTimes, twoBeats, withoutBeats } from './quick-times.ts'
import { patience } from '../../patience.ts'
import { gatewayTo } from '../redis/redis-gateway.ts'
import { hasRedis, startRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'
import { connectionOver, longestWait } from '../redis/way.ts'
import type { Way } from '../redis/way.ts'

interface Instance {
  readonly graph: Graph
  readonly ledger: RedisLedger
  readonly redis: RedisConnection
  /** It has waited long enough for Redis. */
  endPatience(): void
  /** Ends as a process does that is killed: nothing more is written. */
  kill(): Promise<void>
  close(): Promise<void>
}

interface Options extends GraphOptions {
  readonly between?: Between
  readonly outbox?: Outbox
  readonly budget?: number | null
  readonly clientBudgets?: ClientBudgets
  /** The key that it is configured with. */
  readonly storedKey?: string
  /** Whether its rows are in Redis too. */
  readonly isShared?: boolean
  readonly way?: Way
  readonly times?: LedgerTimes
}

describe.skipIf(!hasRedis)(`a ledger in Redis${withoutRedis}`, () => {
  let redis: RedisServer
  let sample: Sample
  let teams: string[]
  let folder: string
  const instances: Instance[] = []
  /** What the ledgers have told of their failures. */
  const failures: unknown[] = []

  beforeAll(async () => {
    sample = await startSample()
    teams = await teamsOfToday(sample)
  })
  beforeEach(async () => {
    redis = await startRedis()
    folder = mkdtempSync(join(tmpdir(), 'redis-ledger-'))
  })
  afterEach(async () => {
    expect(failures).toEqual([])
    for (const one of instances.splice(0)) {
      await one.kill()
      await one.ledger.close()
    }
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  afterAll(() => sample.close())

  async function started({
    outbox = new MemoryOutbox(),
    way = redis,
    times = quickTimes,
    ...options
  }: Options = {}): Promise<Instance> {
    const connection = connectionOver(way)
    const ledger = new RedisLedger({
      redis: connection,
      outbox,
      clock: () => sampleNow,
      budget: options.budget ?? null,
      clientBudgets: options.clientBudgets ?? noClientBudgets,
      leaseMs: 60_000,
      times,
      ...(options.storedKey !== undefined && { apiKey: options.storedKey }),
      onFailure: (error) => void failures.push(error),
    })
    await ledger.ready(redis.isUp ? 30_000 : 0)
    const { callLater, end: endPatience } = heldPatience()
    const answers = new AnswerRedis(connection, { keptFor: 172_800_000, service: 'sample' })
    const graph = sample.graph({
      ...options,
      ledger: { ...openShared(ledger, () => {}), callLater },
      ...(options.isShared && { answers }),
    })
    const instance: Instance = {
      graph,
      ledger,
      redis: connection,
      endPatience,
      kill: () => connection.close(),
      async close() {
        await graph.upstream.ledgers.books.close()
        await connection.close()
      },
    }
    instances.push(instance)
    return instance
  }

  const named = (nth: number) => `query Named { team(id: "${teams[nth]}") { name } }`
  const dayAfter = (day: string, days: number) =>
    new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
  const as = (name: string) => ({ headers: { 'graphql-client-name': name } })
  const usage = async ({ graph }: Instance, options = {}) =>
    (
      await graph.query<{ usage: { tokens: number; calls: number; remaining: number | null } }>(
        '{ usage { tokens calls remaining } }',
        options,
      )
    ).data.usage
  const spent = ({ ledger }: Instance) => ledger.spending('2026-02-01', '2026-02-31')
  const tokensOf = (rows: readonly Spending[]) => rows.reduce((sum, { tokens }) => sum + tokens, 0)

  /** What the service has billed by its own account since the beginning of the test. */
  async function account(): Promise<() => Promise<number>> {
    const before = await sample.billed('sample-paid')
    return async () => (await sample.billed('sample-paid')) - before
  }

  test('has the tokens of all instances, by client and operations, as the service has billed them', async () => {
    const billed = await account()
    const [one, other] = [await started(), await started()]
    await one.graph.query(named(0), as('web'))
    await other.graph.query(
      `query Day { league { games(date: "${today}") { status homeTeam { name } } } }`,
      as('app'),
    )
    const rows = await spent(one)
    expect(rows).toEqual(await spent(other))
    expect(new Set(rows.map((row) => `${row.client} ${row.operation} ${row.service} ${row.hour}`))).toEqual(
      new Set(['web Named team/read 20', 'app Day game/getGames 20']),
    )
    expect(tokensOf(rows)).toBe(await billed())
    for (const instance of [one, other])
      expect(await usage(instance)).toMatchObject({ tokens: await billed(), calls: 2 })
    expect(rows.every(({ key }) => key.length === 43 && !key.includes('sample'))).toBe(true)
  })

  test('has a month that goes on after all instances have ended', async () => {
    const first = await started({ budget: 3 })
    await first.graph.query(named(0))
    await first.close()
    const second = await started({ budget: 3 })
    expect(await usage(second)).toMatchObject({ tokens: 1, remaining: 2 })
    await second.graph.query(named(1))
    await second.graph.query(named(2))
    const { errors } = await second.graph.query(named(3))
    expect(errors?.[0]?.extensions?.code).toBe('BUDGET_EXCEEDED')
  })

  test.each([
    { rows: 'own rows', whose: 'one', isShared: false, limits: { budget: 400 } },
    { rows: 'shared rows', whose: 'one', isShared: true, limits: { budget: 400 } },
    {
      rows: 'shared rows',
      whose: 'their client’s',
      isShared: true,
      limits: { clientBudgets: new Map([['web', 400]]) },
    },
  ])(
    '200 queries at once on three instances with $rows spend $whose budget, and no more than a reservation beyond it',
    async ({ isShared, limits }) => {
      const budget = 400
      const billed = await account()
      const three = [
        await started({ ...limits, isShared }),
        await started({ ...limits, isShared }),
        await started({ ...limits, isShared }),
      ]
      const headers = { 'graphql-client-name': 'web' }
      const ask = (nth: number) =>
        three[nth % 3]?.graph.query<Record<string, unknown>>(
          `{ league { games(date: "${dayAfter('2025-11-05', nth % 100)}") { status homeTeam { name } } } }`,
          { headers },
        )
      const isRefused = (answer: Awaited<ReturnType<typeof ask>>) =>
        answer?.errors?.[0]?.extensions?.code === 'BUDGET_EXCEEDED'
      const answers = await Promise.all(Array.from({ length: 200 }, (_, nth) => ask(nth)))
      expect(answers.filter(isRefused).length).toBeGreaterThan(0)
      // A query can be refused because others have reserved what is left. Once they have ended, single queries
      // spend what they have not used.
      for (let nth = 99, isLeft = true; isLeft && nth >= 0; nth -= 1) {
        const answer = await ask(nth)
        answers.push(answer)
        isLeft = !isRefused(answer)
      }
      const largest = Math.max(
        ...answers.flatMap((answer) =>
          answer && answer.extensions.usage.tokens > 0 ? [answer.extensions.usage.tokens] : [],
        ),
      )
      const total = await billed()
      expect(total).toBeLessThanOrEqual(budget + largest)
      expect(total).toBeGreaterThan(budget - 2 * largest)
      expect(tokensOf(await spent(three[0] as Instance))).toBe(total)
      expect((await usage(three[1] as Instance)).tokens).toBe(total)
    },
  )

  const opened = (id: string, tokens: number, key = 'key') => ({
    id,
    tokens,
    estimated: tokens,
    bytes: 0,
    calls: 1,
    day: '2026-02-14',
    hour: '20',
    key,
    client: 'web',
    operation: 'Q',
    service: 'team/read',
  })

  test.each([
    { whose: 'a key’s', limits: { budget: 10 } },
    { whose: 'a client’s', limits: { clientBudgets: new Map([['web', 10]]) } },
  ])(
    'what another instance had reserved of $whose budget can be spent as soon as that call has ended',
    async ({ limits }) => {
      const billed = await account()
      const [one, other] = [await started(limits), await started(limits)]
      const pending = opened('pending', 9, one.ledger.nameOf('sample-paid'))
      await one.ledger.write([{ kind: 'open', opened: pending }])
      expect((await other.graph.query(named(0), as('web'))).errors).toBeUndefined()
      const refused = await other.graph.query(named(1), as('web'))
      expect(refused.errors?.[0]?.extensions?.code).toBe('BUDGET_EXCEEDED')
      await one.ledger.write([{ kind: 'settle', opened: pending, spent: [] }])
      expect((await other.graph.query(named(2), as('web'))).errors).toBeUndefined()
      expect(await billed()).toBe(2)
    },
  )

  test('a reservation that a larger one covers is recorded, whatever others have spent since', async () => {
    const { ledger } = await started({ budget: 10 })
    const grants = await ledger.write([
      { kind: 'open', opened: opened('whole', 10) },
      { kind: 'open', opened: opened('another', 1) },
      { kind: 'open', opened: opened('part', 4), isGranted: true },
    ])
    expect(grants).toEqual([true, false, true])
  })

  test('a new instance knows what is left of each budget before it spends anything', async () => {
    const options = { budget: 9, clientBudgets: new Map([['web', 2]]) }
    const one = await started(options)
    await one.graph.query(named(0), as('web'))
    const other = await started(options)
    expect(await usage(other)).toMatchObject({ tokens: 1, remaining: 8 })
    expect(other.graph.upstream.ledgers.remainingOfClient('web')).toBe(1)
  })

  test('budgets of clients hold across instances', async () => {
    const clientBudgets = new Map([['web', 2]])
    const [one, other] = [await started({ clientBudgets }), await started({ clientBudgets })]
    await one.graph.query(named(0), as('web'))
    await other.graph.query(named(1), as('web'))
    const refused = await one.graph.query(named(2), as('web'))
    expect(refused.errors?.[0]?.extensions?.code).toBe('BUDGET_EXCEEDED')
    expect((await one.graph.query(named(3), as('app'))).errors).toBeUndefined()
  })

  /** A call that two clients need, each for one of its rows. */
  const shared: Purpose = {
    service: 'team/read',
    users: [
      { client: 'app', operation: 'A', rows: 1 },
      { client: 'web', operation: 'B', rows: 1 },
    ],
    calls: 1,
  }

  const byClient = (rows: readonly Spending[]) => rows.toSorted((a, b) => (a.client < b.client ? -1 : 1))

  test('a client’s part of calls that it shares with others is within its budget on all instances together', async () => {
    const clientBudgets = new Map([['web', 40]])
    const three = [
      await started({ clientBudgets }),
      await started({ clientBudgets }),
      await started({ clientBudgets }),
    ]
    const call = async ({ graph }: Instance): Promise<Refusal | null> => {
      const { ledgers } = graph.upstream
      const booked = ledgers.reserve(ledgers.nameOf('sample-paid'), 10, shared)
      if (isRefusal(booked)) return booked
      const refusal = (await booked.written) ?? null
      await pause(5)
      booked.settle(refusal ? noBill : { tokens: 10, bytes: 100, estimated: false })
      return refusal
    }
    const ends = await Promise.all(Array.from({ length: 200 }, (_, nth) => call(three[nth % 3] as Instance)))
    const refused = ends.filter((refusal) => refusal !== null)
    const made = ends.length - refused.length
    for (const refusal of refused) expect(refusal).toEqual({ refusedBy: 'client', budgets: ['web'] })
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThanOrEqual(40 / 5)
    for (const { graph } of three) await graph.upstream.ledgers.books.written
    const rows = byClient(await spent(three[0] as Instance))
    expect(rows.map(({ client, tokens, calls }) => ({ client, tokens, calls }))).toEqual([
      { client: 'app', tokens: 5 * made, calls: made },
      { client: 'web', tokens: 5 * made, calls: 0 },
    ])
    for (const { graph } of three) await graph.upstream.ledgers.refresh('sample-paid')
    expect((await usage(three[1] as Instance)).tokens).toBe(10 * made)
  })

  test('a client without tokens leaves the others together, whatever instances share', async () => {
    const billed = await account()
    const instance = await started({ clientBudgets: new Map([['spent', 0]]), isShared: true })
    const { graph } = instance
    const clients = ['app', 'spent', 'web', 'spent', 'other']
    const answers = await Promise.all(clients.map((name, nth) => graph.query(named(nth), as(name))))
    expect(answers.map(({ errors }) => errors?.[0]?.extensions?.code)).toEqual([
      undefined,
      'BUDGET_EXCEEDED',
      undefined,
      'BUDGET_EXCEEDED',
      undefined,
    ])
    expect(graph.calls.take()).toEqual(['team/read 3'])
    const rows = await spent(instance)
    expect(tokensOf(rows)).toBe(await billed())
    expect(rows.map(({ client }) => client)).not.toContain('spent')
  })

  test('a shared call may spend the last tokens of its key', async () => {
    const { graph } = await started({ budget: 10, clientBudgets: new Map([['web', 1_000]]) })
    const { ledgers } = graph.upstream
    const users = [
      { client: 'app', operation: 'A', rows: 1 },
      { client: 'web', operation: 'B', rows: 2 },
    ] as const
    const booked = ledgers.reserve(ledgers.nameOf('sample-paid'), 10, { ...shared, users })
    if (isRefusal(booked)) throw new Error('refused')
    expect(await booked.written).toBeNull()
    booked.settle({ tokens: 10, bytes: 100, estimated: false })
    await ledgers.books.written
    expect(ledgers.remainingOfClient('web')).toBe(993)
  })

  test('a shared call whose process is killed is booked as estimated for each of its clients', async () => {
    const clientBudgets = new Map([['web', 40]])
    const [killed, other] = [await started({ clientBudgets }), await started({ clientBudgets })]
    const { ledgers } = killed.graph.upstream
    const booked = ledgers.reserve(ledgers.nameOf('sample-paid'), 10, shared)
    if (isRefusal(booked)) throw new Error('refused')
    expect(await booked.written).toBeNull()
    await killed.kill()
    await other.ledger.bookLost(120_000)
    const rows = byClient(await spent(other))
    expect(rows.map(({ client, estimated, calls }) => ({ client, estimated, calls }))).toEqual([
      { client: 'app', estimated: 5, calls: 1 },
      { client: 'web', estimated: 5, calls: 0 },
    ])
  })

  test.each([
    { left: 'much', budget: 10_000, isCovered: true },
    { left: 'little', budget: 100, isCovered: false },
  ])(
    'a prepayment of one client covers calls of another one that has $left left of its budget: $isCovered',
    async ({ budget, isCovered }) => {
      const { graph } = await started({ clientBudgets: new Map([['web', budget]]) })
      const { ledgers } = graph.upstream
      const of = (client: string): Purpose => ({ ...shared, users: [{ client, operation: 'A', rows: 1 }] })
      const prepaid = await ledgers.prepay(ledgers.nameOf('sample-paid'), 30, of('app'))
      const own = prepaid?.draw(10, of('app'))
      const both = prepaid?.draw(10, shared)
      const alone = prepaid?.draw(10, of('web'))
      expect(own?.written).toBeUndefined()
      expect([own, both, alone].map((booked) => typeof booked?.tokens)).toEqual([
        'number',
        ...(isCovered ? ['number', 'number'] : ['undefined', 'undefined']),
      ])
      for (const booked of [own, both, alone]) booked?.settle({ tokens: 10, bytes: 1, estimated: false })
      prepaid?.end()
      await ledgers.books.written
      expect(ledgers.remainingOfClient('web')).toBe(budget - (isCovered ? 15 : 0))
    },
  )

  /** What is reserved in Redis: the tokens of each call, and of the key. */
  const reserved = async () => {
    const rows = (await redis.send('HVALS', 'statline:1:ledger:open')) as string[]
    const [sums = ''] = (await redis.send('KEYS', 'statline:1:ledger:sums:*:key:*')) as string[]
    const ofKey = Number(await redis.send('HGET', sums, 'reserved'))
    const calls = rows.map((row) => (JSON.parse(row) as Spending).tokens).toSorted((a, b) => b - a)
    return { calls, ofKey }
  }
  const oneCall: Purpose = { ...shared, users: [{ client: 'app', operation: 'A', rows: 1 }] }
  /** An instance's reservation in advance. */
  const prepaidBy = async ({ graph }: Instance, tokens: number) => {
    const { ledgers } = graph.upstream
    const prepaid = await ledgers.prepay(ledgers.nameOf('sample-paid'), tokens, oneCall)
    if (!prepaid) throw new Error('refused')
    return prepaid
  }
  /** Calls of these tokens, which are under way then. */
  const begin = (prepaid: Prepaid, tokens: readonly number[]) => {
    const calls = tokens.map((own) => prepaid.draw(own, oneCall))
    prepaid.end()
    return calls
  }

  test.each([
    { when: 'in the turn in which its calls are sent', isWritten: false, estimated: 31 },
    { when: 'once its calls are recorded', isWritten: true, estimated: 25 },
  ])(
    'calls that were reserved together are booked once if their process is killed $when',
    async ({ isWritten, estimated }) => {
      const [killed, other] = [await started(), await started()]
      begin(await prepaidBy(killed, 31), [12, 8, 5])
      if (isWritten) {
        await killed.graph.upstream.ledgers.books.written
        expect(await reserved()).toEqual({ calls: [12, 8, 5], ofKey: 25 })
      }
      await killed.kill()
      await other.ledger.bookLost(120_000)
      const rows = await spent(other)
      expect(rows.map((row) => [row.tokens, row.estimated, row.calls])).toEqual([
        [estimated, estimated, isWritten ? 3 : 1],
      ])
      expect(await reserved()).toEqual({ calls: [], ofKey: 0 })
    },
  )

  test('calls of two clients that were reserved together are booked once for each if their process is killed', async () => {
    const clientBudgets = new Map([['web', 10_000]])
    const [killed, other] = [await started({ clientBudgets }), await started({ clientBudgets })]
    const prepaid = await prepaidBy(killed, 31)
    for (const purpose of [oneCall, shared]) prepaid.draw(10, purpose)
    prepaid.end()
    await killed.graph.upstream.ledgers.books.written
    expect(await reserved()).toEqual({ calls: [10, 5, 5], ofKey: 20 })
    await killed.kill()
    await other.ledger.bookLost(120_000)
    const rows = byClient(await spent(other))
    expect(rows.map(({ client, estimated, calls }) => [client, estimated, calls])).toEqual([
      ['app', 15, 2],
      ['web', 5, 0],
    ])
    expect(await reserved()).toEqual({ calls: [], ofKey: 0 })
  })

  test('calls that were reserved together while Redis went away are reserved once when it is back', async () => {
    const outbox = new OutboxFile(folder)
    const one = await started({ outbox })
    const { books } = one.graph.upstream.ledgers
    const prepaid = await prepaidBy(one, 31)
    redis.freeze()
    const calls = begin(prepaid, [12, 8, 5])
    await books.written
    expect(outbox.isEmpty).toBe(false)
    redis.thaw()
    await vi.waitFor(() => expect(outbox.isEmpty).toBe(true), patience)
    expect(await reserved()).toEqual({ calls: [12, 8, 5], ofKey: 25 })
    for (const call of calls) call?.settle({ tokens: 4, bytes: 1, estimated: false })
    await books.written
    await vi.waitFor(async () => expect(tokensOf(await spent(one))).toBe(12), patience)
    expect(await reserved()).toEqual({ calls: [], ofKey: 0 })
  })

  test('a call that uses a reservation in advance alone is recorded by it, without a further write', async () => {
    const one = await started()
    const [call] = begin(await prepaidBy(one, 10), [8])
    expect(one.graph.upstream.ledgers.books.written).toBeUndefined()
    expect(await reserved()).toEqual({ calls: [10], ofKey: 10 })
    call?.settle({ tokens: 7, bytes: 1, estimated: false })
    await one.graph.upstream.ledgers.books.written
    expect(await reserved()).toEqual({ calls: [], ofKey: 0 })
    expect((await spent(one)).map(({ tokens, estimated }) => [tokens, estimated])).toEqual([[7, 0]])
  })

  /** The error codes of queries, one after the other. */
  const codesOf = async ({ graph }: Instance, asked: readonly number[]) => {
    const codes: unknown[] = []
    for (const nth of asked) codes.push((await graph.query(named(nth))).errors?.[0]?.extensions?.code)
    return codes
  }

  /** Asks one query again and again, until it is answered. */
  const answers = ({ graph }: Instance, nth: number) =>
    vi.waitFor(async () => expect((await graph.query(named(nth))).errors).toBeUndefined(), patience)

  test('while Redis hangs, answers go on within the share of the budget, and each token is in the ledger after', async () => {
    const billed = await account()
    const outbox = new OutboxFile(folder)
    const [one, other] = [await started({ budget: 6, outbox }), await started({ budget: 6 })]
    await one.graph.query(named(0))
    await other.graph.query(named(1))
    await usage(one) // hears that there are two instances, and 4 tokens left
    await allotted(redis, 2)
    redis.freeze()
    // At once it spends what is allotted to it, and later its share.
    expect(await codesOf(one, [2, 3])).toEqual([undefined, 'BUDGET_EXCEEDED'])
    one.endPatience()
    expect(await codesOf(one, [4, 5])).toEqual([undefined, 'BUDGET_EXCEEDED'])
    expect((await usage(one)).tokens).toBe(4)
    expect(outbox.isEmpty).toBe(false)
    redis.thaw()
    await vi.waitFor(async () => expect(tokensOf(await spent(other))).toBe(4), patience)
    await vi.waitFor(() => expect(outbox.isEmpty).toBe(true), patience)
    expect(await billed()).toBe(4)
    expect((await spent(other)).every(({ estimated }) => estimated === 0)).toBe(true)
    // It comes back by itself, and first waits for the one that was alone.
    await vi.waitFor(async () => expect((await usage(other)).tokens).toBe(4), patience)
    // Together again, what is left is shared anew.
    await answers(one, 6)
    await answers(other, 7)
    expect((await one.graph.query(named(8))).errors?.[0]?.extensions?.code).toBe('BUDGET_EXCEEDED')
  })

  test('an instance that cannot reach Redis for a moment spends nothing that the others may spend', async () => {
    const billed = await account()
    const gateway = await gatewayTo(redis.url)
    try {
      const one = await started({ budget: 6, way: gateway })
      const other = await started({ budget: 6 })
      await one.graph.query(named(0))
      await other.graph.query(named(1))
      await usage(one)
      await allotted(redis, 2)
      gateway.block()
      expect(await codesOf(one, [2, 3])).toEqual([undefined, 'BUDGET_EXCEEDED'])
      expect(await codesOf(other, [4, 5, 6])).toEqual([undefined, undefined, undefined])
      const { errors } = await other.graph.query(named(7))
      expect(errors?.[0]?.message).toMatch(/^Another instance, which does not answer, may spend what is left/)
      gateway.unblock()
      // It hears what the others spent once it has sent its own.
      await vi.waitFor(async () => expect((await usage(one)).tokens).toBe(6), patience)
      expect(await billed()).toBe(6)
    } finally {
      await gateway.close()
    }
  })

  test('an instance without others spends what is left, and no more, while Redis hangs', async () => {
    const billed = await account()
    const one = await started({ budget: 5 })
    await one.graph.query(named(0))
    await usage(one)
    await allotted(redis, 1)
    redis.freeze()
    expect(await codesOf(one, [1, 2, 3])).toEqual([undefined, undefined, 'BUDGET_EXCEEDED'])
    one.endPatience()
    expect(await codesOf(one, [4, 5, 6])).toEqual([undefined, undefined, 'BUDGET_EXCEEDED'])
    expect(await billed()).toBe(5)
    redis.thaw()
    await vi.waitFor(async () => expect(await usage(one)).toMatchObject({ tokens: 5 }), patience)
  })

  test('calls that are under way when Redis goes away have one share', async () => {
    const billed = await account()
    const way = { url: redis.url, longestWaitMs: longestWait(false) }
    const [one, other] = [await started({ budget: 10, way }), await started({ budget: 10 })]
    await one.graph.query(named(0))
    await other.graph.query(named(1))
    await usage(one) // hears that there are two instances, and 8 tokens left
    await allotted(redis, 2)
    redis.freeze()
    way.longestWaitMs = 80
    const late = []
    for (const nth of [2, 3, 4, 5, 6, 7]) {
      late.push(one.graph.query(named(nth)))
      // Each in a turn of its own, so that each is a call; some before it is known that Redis is away.
      await pause(30)
    }
    const codes = (await Promise.all(late)).flatMap(({ errors }) => errors?.[0]?.extensions?.code ?? [])
    expect(codes).toEqual(Array.from({ length: 4 }, () => 'BUDGET_EXCEEDED'))
    expect(await billed()).toBe(4)
    one.endPatience()
    expect(await codesOf(one, [8, 9, 10])).toEqual([undefined, undefined, 'BUDGET_EXCEEDED'])
    expect(await billed()).toBe(6)
  })

  test('a call waits until another instance has given back what it holds, and that time is not the service’s', async () => {
    const billed = await account()
    const options = { budget: 6, timeoutMs: 500 }
    const [one, other] = [await started(options), await started(options)]
    await one.graph.query(named(0))
    await other.graph.query(named(1))
    await allotted(redis, 2)
    expect(await codesOf(one, [2, 3, 4, 5])).toEqual([undefined, undefined, undefined, undefined])
    expect(await codesOf(other, [6])).toEqual(['BUDGET_EXCEEDED'])
    expect(await billed()).toBe(6)
  })

  test('far from the end of a budget, nobody waits for a Redis that hangs', async () => {
    const one = await started({ budget: 100_000 })
    await one.graph.query(named(0))
    redis.freeze()
    expect((await one.graph.query(named(1))).errors).toBeUndefined()
    expect(one.redis.reason).toBe(`Redis did not answer within ${redis.longestWaitMs} ms.`)
  })

  test('what an instance spent alone before it was killed is sent by the next one with its folder, once', async () => {
    const billed = await account()
    const first = await started({ outbox: new OutboxFile(folder) })
    await first.graph.query(named(0))
    redis.freeze()
    await first.graph.query(named(1))
    await first.kill()
    redis.thaw()
    for (let nth = 0; nth < 2; nth += 1) {
      const next = await started({ outbox: new OutboxFile(folder) })
      expect(tokensOf(await spent(next))).toBe(2)
      await next.close()
    }
    expect(await billed()).toBe(2)
  })

  test('what an instance spent before it ever reached Redis counts towards the budget of its next start', async () => {
    await redis.kill()
    const options = { storedKey: 'sample-paid', outbox: new OutboxFile(folder) }
    const first = await started(options)
    await first.graph.query(named(0))
    await first.graph.query(named(1))
    await first.kill()
    await redis.start()
    const next = await started({ ...options, budget: 3, outbox: new OutboxFile(folder) })
    expect(await usage(next)).toMatchObject({ tokens: 2, remaining: 1 })
    expect(new Set((await spent(next)).map(({ key }) => key)).size).toBe(1)
    expect((await next.graph.query(named(2))).errors).toBeUndefined()
    expect((await next.graph.query(named(3))).errors?.[0]?.extensions?.code).toBe('BUDGET_EXCEEDED')
    expect(new Set((await spent(next)).map(({ key }) => key)).size).toBe(1)
  })

  test('what waits for Redis is written again where its file is deleted', async () => {
    const billed = await account()
    const first = await started({ outbox: new OutboxFile(folder) })
    await first.graph.query(named(0))
    redis.freeze()
    await first.graph.query(named(1))
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    await first.graph.query(named(2))
    await first.kill()
    redis.thaw()
    const next = await started({ outbox: new OutboxFile(folder) })
    expect(tokensOf(await spent(next))).toBe(3)
    expect(await billed()).toBe(3)
  })

  test('a request whose instance was killed is booked as estimated, and corrected if its bill comes after all', async () => {
    let answer = () => {}
    const [slow, other] = [
      await started({
        between: (request, service) => new Promise((tell) => (answer = () => tell(service(request)))),
      }),
      await started(),
    ]
    const query = slow.graph.query(named(0))
    await vi.waitFor(() => expect(slow.graph.calls.sent).toHaveLength(1), patience)
    expect(tokensOf(await spent(other))).toBe(0)
    await other.ledger.bookLost(3_600_000)
    expect(await spent(other)).toMatchObject([{ client: 'unknown', service: 'team/read', calls: 1 }])
    expect((await spent(other))[0]?.estimated).toBeGreaterThan(0)
    answer()
    await query
    expect(await spent(other)).toMatchObject([{ tokens: 1, estimated: 0, calls: 1 }])
    await other.ledger.bookLost(3_600_000)
    expect(tokensOf(await spent(other))).toBe(1)
  })

  test('a batch that is sent again is applied once', async () => {
    const one = await started()
    const run = vi.spyOn(one.redis, 'run')
    await one.graph.query(named(0))
    // The script is applied, and its answer is lost.
    const send = RedisConnection.prototype.run.bind(one.redis)
    run.mockImplementationOnce(async (...args) => {
      await send(...args)
      throw new RedisAwayError('lost')
    })
    run.mockImplementation(send)
    await one.graph.query(named(1)).catch(() => {})
    await vi.waitFor(async () => expect(tokensOf(await spent(one))).toBe(2), patience)
    expect((await usage(one)).tokens).toBe(2)
  })

  /** A call and its bill, of a key. */
  const bought = (one: Instance, key: string, nth: number): readonly Change[] => {
    const spent = {
      client: 'any',
      operation: 'any',
      service: 'team/read',
      day: '2026-02-14',
      hour: '12',
      key: one.ledger.nameOf(key),
      tokens: 1,
      estimated: 0,
      bytes: 900,
      calls: 1,
    }
    const opened = { ...spent, id: `${key} ${nth}` }
    return [
      { kind: 'open', opened },
      { kind: 'settle', opened, spent: [spent] },
    ]
  }

  test('batches that are written side by side keep their order when the first one fails', async () => {
    const outbox = new MemoryOutbox()
    const put = vi.spyOn(outbox, 'put')
    const one = await started({ outbox })
    const broken = `statline:1:ledger:sums:2026-02:key:${one.ledger.nameOf('broken')}`
    await redis.send('SET', broken, 'not a hash')
    const keys = ['broken', 'whole', 'broken', 'whole']
    const grants = await Promise.all(keys.map((key, nth) => one.ledger.write(bought(one, key, nth))))
    // Redis applies the second one only after the first.
    expect(grants).toEqual([[null], [null], [null], [null]])
    expect(put.mock.calls.map(([{ number }]) => number)).toEqual([1, 2, 3, 4])
    expect(await spent(one)).toEqual([])
    await redis.send('DEL', broken)
    await vi.waitFor(async () => expect(tokensOf(await spent(one))).toBe(4), patience)
    expect(await one.ledger.write(bought(one, 'whole', 4))).toEqual([true])
    expect(tokensOf(await spent(one))).toBe(5)
    expect(failures.splice(0)).toHaveLength(1)
  })

  test('batches that are written side by side are applied once if Redis goes away meanwhile', async () => {
    const one = await started({ outbox: new OutboxFile(folder) })
    for (let round = 0; round < 5; round += 1) {
      const writes = [0, 1, 2].map((nth) => one.ledger.write(bought(one, `key ${round}`, nth)))
      if (round % 2 === 1) await redis.kill()
      await Promise.all(writes)
      if (round % 2 === 1) await redis.start()
      await vi.waitFor(async () => expect(tokensOf(await spent(one))).toBe(3 * (round + 1)), patience)
    }
  })

  test('a bill is on its way to Redis before its answer is read', async () => {
    const one = await started({ times: withoutBeats })
    await one.graph.query(named(0))
    const run = vi.spyOn(one.redis, 'run')
    const readAfter: number[] = []
    const keep = vi.spyOn(one.graph.upstream.accountOf('sample-paid'), 'keep')
    keep.mockImplementation(() => void readAfter.push(run.mock.calls.length))
    await one.graph.query(named(1))
    // The reservation, and the bill.
    expect(readAfter).toEqual([2])
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('where Redis comes back with an older state, what it has lost is written again, and nothing after it is lost', async () => {
    const billed = await account()
    const [one, other] = [await started({ budget: 20 }), await started({ budget: 20 })]
    await one.graph.query(named(0))
    await other.graph.query(named(1))
    await redis.send('SAVE')
    await one.graph.query(named(2))
    await other.graph.query(named(3))
    await one.graph.query(named(4))
    await redis.kill()
    await redis.start()
    await vi.waitFor(() => expect([one.redis.isUp, other.redis.isUp]).toEqual([true, true]), patience)
    await one.graph.query(named(5))
    await other.graph.query(named(6))
    await vi.waitFor(async () => expect(tokensOf(await spent(one))).toBe(await billed()), patience)
    await vi.waitFor(async () => expect((await usage(other)).tokens).toBe(7), patience)
    expect((await usage(one)).tokens).toBe(7)
  })

  test('where Redis has lost everything, instances write again what they know, and name keys as before', async () => {
    const billed = await account()
    const [one, other] = [await started({ budget: 20 }), await started({ budget: 20 })]
    await one.graph.query(named(0))
    await other.graph.query(named(1))
    await allotted(redis, 2)
    await redis.send('FLUSHALL')
    await vi.waitFor(async () => expect(await redis.send('GET', 'statline:1:secret')).toBeTruthy(), patience)
    const late = await started({ budget: 20 })
    await answers(one, 2)
    await answers(other, 3)
    // It has nothing to spend before Redis has what the others have sent.
    await answers(late, 4)
    await vi.waitFor(async () => expect(tokensOf(await spent(one))).toBe(await billed()), patience)
    for (const instance of [one, other, late])
      await vi.waitFor(async () => expect((await usage(instance)).tokens).toBe(5), patience)
    expect(new Set((await spent(one)).map(({ key }) => key)).size).toBe(1)
  })

  /** Redis has lost everything, and a new instance was the first to meet it. */
  const emptied = `redis.call('FLUSHALL') redis.call('SET', KEYS[1], ARGV[1])`
  test.each([
    { how: 'and connections are open', isCut: false },
    { how: 'and connections break', isCut: true },
  ])('a month goes on where Redis has lost everything, has a new secret, $how', async ({ isCut }) => {
    const billed = await account()
    const [one, other] = [await started({ budget: 8 }), await started({ budget: 8 })]
    for (const nth of [0, 1, 2]) await one.graph.query(named(nth))
    await other.graph.query(named(3))
    await redis.send('EVAL', emptied, '1', 'statline:1:secret', 'new-secret')
    if (isCut) await redis.send('CLIENT', 'KILL', 'TYPE', 'normal')
    for (const instance of isCut ? [one, other] : [])
      await vi.waitFor(() => expect(instance.redis.secret).toBe('new-secret'), patience)
    await answers(one, 4)
    await answers(other, 5)
    const late = await started({ budget: 8 })
    for (const instance of [one, other, late])
      await vi.waitFor(
        async () => expect(await usage(instance)).toMatchObject({ tokens: 6, remaining: 2 }),
        patience,
      )
    const names = await redis.send('KEYS', 'statline:1:ledger:sums:2026-02:key:*')
    expect(names).toEqual([`statline:1:ledger:sums:2026-02:key:${late.ledger.nameOf('sample-paid')}`])
    expect(new Set((await spent(one)).map(({ key }) => key))).toEqual(
      new Set([late.ledger.nameOf('sample-paid')]),
    )
    const codes = []
    for (const nth of [6, 7, 8, 9])
      codes.push((await [one, other, late][nth % 3]?.graph.query(named(nth)))?.errors?.[0]?.extensions?.code)
    expect(codes).toEqual([undefined, undefined, 'BUDGET_EXCEEDED', 'BUDGET_EXCEEDED'])
    expect([tokensOf(await spent(late)), await billed()]).toEqual([8, 8])
  })

  test('a month goes on where Redis has a new secret after thousands of refused queries with other keys', async () => {
    const one = await started({ budget: 8 })
    const senderOf = refusedSender({ upstream: one.graph.upstream, apiKey: null })
    for (let nth = 0; nth < 10_000; nth += 1) senderOf(() => `made up ${nth}`)
    for (const nth of [0, 1, 2]) await one.graph.query(named(nth))
    await redis.send('EVAL', emptied, '1', 'statline:1:secret', 'new-secret')
    await vi.waitFor(() => expect(one.redis.secret).toBe('new-secret'), patience)
    await vi.waitFor(
      async () => expect(await usage(one)).toMatchObject({ tokens: 3, remaining: 5 }),
      patience,
    )
    const late = await started({ budget: 8 })
    await vi.waitFor(
      async () => expect(await usage(late)).toMatchObject({ tokens: 3, remaining: 5 }),
      patience,
    )
  })

  test('what was spent alone is charged to its key where Redis has a new secret after it', async () => {
    const billed = await account()
    const one = await started({ budget: 8, outbox: new OutboxFile(folder) })
    await one.graph.query(named(0))
    await usage(one)
    await redis.kill()
    await one.graph.query(named(1))
    await one.kill()
    await redis.start()
    await redis.send('SET', 'statline:1:secret', 'new-secret')
    const next = await started({
      budget: 8,
      outbox: new OutboxFile(folder),
      storedKey: 'sample-paid',
      times: endedSoon,
    })
    // The first bill is lost: Redis and the process that knew it are gone.
    await vi.waitFor(
      async () => expect(await usage(next)).toMatchObject({ tokens: 1, remaining: 7 }),
      patience,
    )
    expect(await billed()).toBe(2)
  })

  test('an instance that goes on alone and finds a new secret keeps its own sums', async () => {
    const one = await started({ budget: 8 })
    await one.graph.query(named(0))
    await usage(one)
    await redis.kill()
    await one.graph.query(named(1))
    await redis.start()
    await vi.waitFor(() => expect(one.redis.isUp).toBe(true), patience)
    await redis.send('EVAL', emptied, '1', 'statline:1:secret', 'new-secret')
    await vi.waitFor(() => expect(one.redis.secret).toBe('new-secret'), patience)
    await vi.waitFor(async () => expect(tokensOf(await spent(one))).toBe(2), patience)
    expect(await usage(one)).toMatchObject({ tokens: 2, remaining: 6 })
  })

  test('an instance that has never met Redis spends nothing of a budget, and whatever it likes without one', async () => {
    await redis.kill()
    const [limited, free] = [await started({ budget: 100 }), await started({})]
    expect((await limited.graph.query(named(0))).errors?.[0]?.extensions?.code).toBe('BUDGET_EXCEEDED')
    expect((await free.graph.query(named(0))).errors).toBeUndefined()
    await redis.start()
    await limited.ledger.ready(30_000)
    await free.ledger.ready(30_000)
    await vi.waitFor(async () => expect(tokensOf(await spent(limited))).toBe(1), patience)
    expect((await limited.graph.query(named(1))).errors).toBeUndefined()
    const rows = await spent(free)
    expect([tokensOf(rows), new Set(rows.map(({ key }) => key)).size]).toEqual([2, 1])
    expect((await usage(limited)).tokens).toBe(2)
  })

  const objections: readonly {
    readonly what: string
    readonly begin: readonly (readonly string[])[]
    readonly end: readonly (readonly string[])[]
  }[] = [
    {
      what: 'is full',
      begin: [['CONFIG', 'SET', 'maxmemory', '1']],
      end: [['CONFIG', 'SET', 'maxmemory', '0']],
    },
    { what: 'is a replica', begin: [['REPLICAOF', '127.0.0.1', '1']], end: [['REPLICAOF', 'NO', 'ONE']] },
    { what: 'has forgotten its scripts', begin: [['SCRIPT', 'FLUSH']], end: [] },
    {
      what: 'has something else under the name of the reservations',
      begin: [
        ['DEL', 'statline:1:ledger:open'],
        ['SET', 'statline:1:ledger:open', 'x'],
      ],
      end: [['DEL', 'statline:1:ledger:open']],
    },
    {
      what: 'has something else under the name of a sum that is written late',
      begin: [
        ['RENAME', 'statline:1:ledger:sums:2026-02:all:', 'kept'],
        ['SET', 'statline:1:ledger:sums:2026-02:all:', 'x'],
      ],
      end: [['RENAME', 'kept', 'statline:1:ledger:sums:2026-02:all:']],
    },
  ]
  test.each(objections)(
    'where Redis $what, answers go on, and each token is in the ledger once',
    async ({ begin, end }) => {
      const billed = await account()
      const one = await started({ budget: 100 })
      await one.graph.query(named(0))
      await vi.waitFor(async () => expect((await usage(one)).tokens).toBe(1), patience)
      for (const command of begin) await redis.send(...command)
      for (const nth of [1, 2]) expect((await one.graph.query(named(nth))).errors).toBeUndefined()
      // A heartbeat tries again.
      await pause(twoBeats)
      for (const command of end) await redis.send(...command)
      expect((await one.graph.query(named(3))).errors).toBeUndefined()
      await vi.waitFor(async () => expect(tokensOf(await spent(one))).toBe(4), patience)
      expect((await usage(one)).tokens).toBe(4)
      expect(await billed()).toBe(4)
      for (const name of (await redis.send('KEYS', 'statline:1:ledger:sums:*')) as string[])
        expect(await redis.send('HMGET', name, 'tokens', 'reserved')).toEqual(['4', '0'])
      // Told once.
      expect(failures.splice(0).length).toBeLessThanOrEqual(1)
    },
  )

  test('a start without Redis goes on from what was last known', async () => {
    const first = await started({ budget: 10, outbox: new OutboxFile(folder) })
    await first.graph.query(named(0))
    await vi.waitFor(
      () => expect(new OutboxFile(folder).sums().map(([, { tokens }]) => tokens)).toContain(1),
      patience,
    )
    await first.close()
    await redis.kill()
    const second = await started({ budget: 10, outbox: new OutboxFile(folder) })
    expect(await usage(second)).toMatchObject({ tokens: 1, remaining: 9 })
    second.endPatience()
    await answers(second, 1)
    expect(await usage(second)).toMatchObject({ tokens: 2, remaining: 8 })
  })

  test('keys that clients bring have ledgers of their own on every instance', async () => {
    const key = (name: string) => ({ headers: { 'x-api-key': name } })
    const [one, other] = [await started({ apiKey: null }), await started({ apiKey: null })]
    await one.graph.query(named(0), key('sample-paid'))
    expect((await usage(other, key('sample-paid'))).tokens).toBe(1)
    expect((await usage(other, key('sample-trial'))).tokens).toBe(0)
  })
})
