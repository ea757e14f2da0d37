import { describe, expect, test } from 'vitest'
import { AnswerRedis } from '../../src/store/answers/answer-redis.ts'
import { RedisConnection } from '../../src/store/redis/connection.ts'
import type { Incoming, Transport } from '../../src/wire/transport.ts'
import { numbersFrom } from '../graph/execution/documents.ts'
import { graphOver } from '../graph/harness.ts'
import type { Graph } from '../graph/harness.ts'
import type { Json } from '../service/client.ts'
import { redisForAll } from './redis-for-all.ts'
import { hasRedis, withoutRedis } from './redis/redis-server.ts'
import type { RedisServer } from './redis/redis-server.ts'

/** Three keys with different plans. Every value in their answers differs. */
const plans = ['paid', 'trial', 'partner'] as const
type Plan = (typeof plans)[number]

const teams = Array.from({ length: 6 }, (_, nth) => `00000000-0000-4000-8000-00000000000${nth}`)

const answerOf = (body: unknown, headers = {}): Incoming => {
  const text = JSON.stringify(body)
  return { status: 200, headers: { 'x-request-usage': '1', ...headers }, body: text, bytes: text.length }
}

/**
 * A service that marks each row with its key. A trial key may not read in bulk, and its values are
 * randomized.
 */
const service: Transport = async ({ operation, arguments: values, apiKey }) => {
  const isTrial = apiKey === 'trial'
  const rowOf = (id: string) => ({ team_id: id, name: `${apiKey} ${id}`, deleted: 0 })
  await new Promise(setImmediate)
  if (operation.function === 'read')
    return isTrial
      ? answerOf({ error: 'access_denied' })
      : answerOf(Object.fromEntries([values['team_id'] ?? []].flat().map((id) => [id, rowOf(String(id))])))
  return answerOf(rowOf(String(values['team_id'])), isTrial ? { 'x-data-quality': 'randomized' } : {})
}

describe.skipIf(!hasRedis)(`three keys on two instances and one Redis${withoutRedis}`, () => {
  let redis: RedisServer
  const open = redisForAll((started) => (redis = started))

  let now = Date.parse('2026-02-14T12:00:00.000Z')

  async function instance(): Promise<Graph> {
    const connection = new RedisConnection(redis.url, { longestWaitMs: 5_000 })
    await connection.ready(30_000)
    const answers = new AnswerRedis(connection, { keptFor: 172_800_000, service: 'test' })
    open.push(answers, connection)
    return graphOver(service, { apiKey: null, answers, clock: () => now, freshFor: { reference: 60_000 } })
  }

  interface Step {
    readonly plan: Plan
    readonly instance: 0 | 1
    readonly ids: readonly string[]
  }

  test('in 1,000 random interleavings no row crosses from one key to another', async () => {
    const instances = [await instance(), await instance()] as const
    const random = numbersFrom(11)
    const below = (count: number) => Math.floor(random() * count)
    const step = (): Step => ({
      plan: plans[below(3)] ?? 'paid',
      instance: below(2) === 0 ? 0 : 1,
      ids: [...new Set(Array.from({ length: 1 + below(3) }, () => teams[below(teams.length)] ?? ''))],
    })
    const ask = async ({ plan, instance: nth, ids }: Step) => {
      const { data, errors } = await instances[nth].query<{ teams: Json[] }>(
        `{ teams(ids: ${JSON.stringify(ids)}) { name } }`,
        { headers: { 'x-api-key': plan } },
      )
      expect(errors).toBeUndefined()
      expect(data.teams.map(({ name }) => name)).toEqual(ids.map((id) => `${plan} ${id}`))
    }
    for (let nth = 0; nth < 1_000; nth += 1) {
      // Rows age now and then, so that all three keys buy again and again.
      now += below(10_000)
      await Promise.all(Array.from({ length: 2 + below(4) }, step).map(ask))
    }
    const sources = instances.map((one) => one.calls.sent.length)
    // Both have bought, and neither has bought all: rows were shared.
    for (const count of sources) expect(count).toBeGreaterThan(50)
    for (const [nth, plan] of plans.entries())
      expect([nth, instances[0].upstream.accountOf(plan).dataQuality()]).toEqual([
        nth,
        plan === 'trial' ? 'RANDOMIZED' : null,
      ])
  })

  test('what a trial key has bought is marked as randomized on every instance, and no other key’s', async () => {
    const [one, other] = [await instance(), await instance()]
    const named = (graph: Graph, plan: Plan) =>
      graph.query(`{ team(id: "${teams[0]}") { name } }`, { headers: { 'x-api-key': plan } })
    now += 86_400_000
    await named(one, 'trial')
    await expect.poll(() => redis.send('KEYS', '*:lease:*')).toEqual([])
    const { extensions } = await named(other, 'trial')
    expect(extensions).toMatchObject({ dataQuality: 'RANDOMIZED', usage: { calls: 0 } })
    await named(other, 'partner')
    expect(other.calls.sent.map(({ apiKey }) => apiKey)).toEqual(['partner'])
    expect(other.upstream.accountOf('partner').dataQuality()).toBeNull()
  })
})
