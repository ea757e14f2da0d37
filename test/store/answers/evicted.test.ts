import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { AnswerRedis } from '../../../src/store/answers/answer-redis.ts'
import { RedisConnection } from '../../../src/store/redis/connection.ts'
import { basketball, graphOver, startSample, today } from '../../graph/harness.ts'
import type { Graph, GraphOptions, Sample } from '../../graph/harness.ts'
import { sampleNow } from '../../sample.setup.ts'
import type { Json } from '../../service/client.ts'
import { hasRedis, startRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // what the flag exposes

const madeUp = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`

describe.skipIf(!hasRedis)(`rows that Redis has and memory has not${withoutRedis}`, () => {
  let redis: RedisServer
  let sample: Sample
  let team: string
  let now = sampleNow
  const open: { close(): Promise<void> }[] = []

  beforeAll(async () => {
    ;[redis, sample] = await Promise.all([startRedis(), startSample()])
    const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
    team = String(game?.['home_team_id'])
  })
  afterEach(async () => {
    now = sampleNow
    for (const one of open.splice(0)) await one.close()
    await redis.send('FLUSHALL')
  })
  afterAll(async () => {
    await redis.stop()
    await sample.close()
  })

  async function instance(options: GraphOptions, transport = sample.transport) {
    const connection = new RedisConnection(redis.url, { longestWaitMs: 5_000 })
    const answers = new AnswerRedis(connection, {
      keptFor: 2 * 86_400_000,
      service: 'test',
      leaseMs: 600_000,
    })
    open.push(answers, connection)
    await connection.ready(30_000)
    return graphOver(transport, { answers, clock: () => now, ...options })
  }

  /** Nothing is reserved, so what was bought is written. */
  const settled = () => expect.poll(() => redis.send('KEYS', '*:lease:*')).toEqual([])

  /** Asks for so much else that all rows before it are evicted. */
  async function evict(graph: Graph) {
    for (let nth = 0; nth < 20; nth += 1) {
      const ids = Array.from({ length: 5 }, (_, index) => `"${madeUp(5 * nth + index)}"`)
      await graph.query(`{ teams(ids: [${ids.join()}]) { name } }`)
    }
    await settled()
    await new Promise((resolve) => setTimeout(resolve, 20)) // a turn holds what it has looked up until its end
    collectGarbage()
    graph.calls.take()
  }

  test.each([
    ['a team', () => `{ team(id: "${team}") { name } }`, ['team/read 1']],
    [
      'a day whose games are over',
      () => '{ league { games(date: "2026-02-13") { gameId homeScore } } }',
      ['game/getScores 1'],
    ],
    [
      'a day, and its teams',
      () => `{ league { games(date: "${today}") { homeTeam { name } awayTeam { name } } } }`,
      ['game/getGames 1'],
    ],
  ])(
    'are read back while they are fresh, and bought once they have expired: %s',
    async (_what, query, bill) => {
      const graph = await instance({ mostKept: 20_000 })
      const { data } = await graph.query<Json>(query())
      expect(graph.calls.take()).toEqual(bill)
      await evict(graph)
      const [again, beside] = await Promise.all([
        graph.query<Json>(query(), { extensions: { explain: true } }),
        graph.query<Json>(query()),
      ])
      expect([again.data, beside.data]).toEqual([data, data])
      expect(graph.calls.take()).toEqual([])
      for (const { extensions } of [again, beside])
        expect(extensions.usage).toMatchObject({ tokens: 0, calls: 0 })
      expect(again.extensions.plan?.map(({ source }) => source)).toContain('REDIS')
      now += 25 * 3_600_000
      await evict(graph)
      expect((await graph.query<Json>(query())).data).toEqual(data)
      expect(graph.calls.take()).toEqual(bill)
    },
  )

  test('are marked as randomized if they were a trial’s, for an instance that has not heard of it too', async () => {
    const isTrial = { yes: true }
    const transport: typeof sample.transport = async (request) => {
      const answer = await sample.transport(request)
      const headers = isTrial.yes ? { ...answer.headers, 'x-data-quality': 'randomized' } : answer.headers
      return { ...answer, headers }
    }
    const graph = await instance({ mostKept: 20_000 }, transport)
    const query = `{ team(id: "${team}") { name } }`
    await graph.query<Json>(query)
    isTrial.yes = false
    await evict(graph)
    const again = await graph.query<Json>(query)
    expect(again.extensions).toMatchObject({ dataQuality: 'RANDOMIZED', usage: { calls: 0 } })
    const other = await instance({}, transport)
    const { extensions } = await other.query<Json>(query)
    expect(extensions).toMatchObject({ dataQuality: 'RANDOMIZED', usage: { calls: 0 } })
    expect([graph.calls.take(), other.calls.take()]).toEqual([[], []])
  })

  test('are marked on both instances if the key was refused on one, until long after an upgrade', async () => {
    const chances = `{ league { games(date: "2026-02-12") { prediction { homePercentage } } } }`
    const read = (nth: number) => `{ team(id: "${madeUp(nth)}") { name } }`
    let key = 'sample-trial'
    const transport: typeof sample.transport = async (request) => {
      const answer = await sample.transport({ ...request, apiKey: key })
      const { 'x-data-quality': _hidden, ...headers } = answer.headers
      return { ...answer, headers }
    }
    const [one, other] = [await instance({}, transport), await instance({}, transport)]
    const qualityOf = async (graph: Graph, query: string) => {
      const { extensions } = await graph.query<Json>(query)
      await settled()
      return (extensions as { readonly dataQuality?: string }).dataQuality
    }
    expect(await qualityOf(one, chances)).toBeUndefined()
    expect(await qualityOf(one, read(0))).toBe('MAY_BE_RANDOMIZED')
    now += 6 * 60_000
    one.calls.take()
    expect(await qualityOf(one, chances)).toBe('MAY_BE_RANDOMIZED')
    expect(await qualityOf(other, chances)).toBe('MAY_BE_RANDOMIZED')
    expect([one.calls.take(), other.calls.take()]).toEqual([[], []])
    key = sample.apiKey
    expect(await qualityOf(other, read(1))).toBe('MAY_BE_RANDOMIZED')
    expect(other.calls.take()).toEqual(['team/read 1'])
    now += 60_000
    const later = await instance({}, transport)
    for (const graph of [one, other, later]) expect(await qualityOf(graph, chances)).toBe('MAY_BE_RANDOMIZED')
    now += 2 * 86_400_000
    for (const graph of [one, other, later]) expect(await qualityOf(graph, chances)).toBeUndefined()
  })

  test('are bought where Redis is away by then', async () => {
    const graph = await instance({ mostKept: 20_000 })
    const query = `{ team(id: "${team}") { name } }`
    const { data } = await graph.query<Json>(query)
    await evict(graph)
    await redis.kill()
    expect((await graph.query<Json>(query)).data).toEqual(data)
    expect(graph.calls.take()).toEqual(['team/read 1'])
    await redis.start()
  })

  test('cost a key nothing that this instance had forgotten as a whole', async () => {
    const graph = await instance({ apiKey: null, mostParked: 8_000 }, (request) =>
      sample.transport({ ...request, apiKey: sample.apiKey }),
    )
    const query = `{ team(id: "${team}") { name } }`
    const ask = (key: string) => graph.query<Json>(query, { headers: { 'x-api-key': key } })
    const { data } = await ask('key')
    for (let nth = 0; nth < 10; nth += 1) await ask(`key-${nth}`)
    await settled()
    expect(graph.calls.take()).toEqual(Array(11).fill('team/read 1'))
    expect(graph.upstream.findAccount('key')).toBeUndefined()
    expect((await ask('key')).data).toEqual(data)
    expect(graph.calls.take()).toEqual([])
  })
})
