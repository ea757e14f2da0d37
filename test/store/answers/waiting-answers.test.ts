import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { AnswerRedis } from '../../../src/store/answers/answer-redis.ts'
import { RedisAwayError, RedisConnection } from '../../../src/store/redis/connection.ts'
import { WaitingAnswers } from '../../../src/store/answers/waiting-answers.ts'
import type { Bought } from '../../../src/account/answer-store.ts'
import { relayTo } from '../redis/redis-relay.ts'
import type { Relay } from '../redis/redis-relay.ts'
import { hasRedis, startRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'
import { patience } from '../../patience.ts'

const kibibyte = 1_024

/** An answer of about 20 KiB, also when it is packed. */
const answer = (nth: number): Bought => ({
  kind: 'answer',
  operation: 'getPlayers',
  arguments: { team_id: String(nth) },
  boughtAt: Date.now(),
  bill: { tokens: 1, bytes: 1, estimated: false },
  isRandomized: false,
  text: randomBytes(20 * kibibyte).toString('base64'),
})

const nameOf = (bought: Bought) => (bought.kind === 'answer' ? String(bought.arguments['team_id']) : '')

test('what Redis has confirmed is not written again when it goes away in the middle', async () => {
  const parts: string[][] = []
  let isUp = true
  const account = {
    async write(answers: readonly Bought[]) {
      parts.push(answers.map(nameOf))
      if (parts.length !== 2) return
      isUp = false
      throw new RedisAwayError('Redis is away.')
    },
  }
  const waiting = new WaitingAnswers(() => isUp)
  for (let nth = 0; nth < 30; nth += 1) waiting.add('key', account, answer(nth))
  await waiting.write()
  expect(parts).toHaveLength(2)
  isUp = true
  await waiting.write()
  const [first = [], second = [], ...rest] = parts
  expect(rest.flat().slice(0, second.length)).toEqual(second)
  expect([...first, ...rest.flat()]).toEqual(Array.from({ length: 30 }, (_, nth) => String(nth)))
})

test('answers that wait take no more than so many bytes: the oldest go first', async () => {
  const parts: string[][] = []
  const account = { write: async (answers: readonly Bought[]) => void parts.push(answers.map(nameOf)) }
  const waiting = new WaitingAnswers(() => true, 150 * kibibyte)
  for (let nth = 0; nth < 30; nth += 1) waiting.add('key', account, answer(nth))
  // The same again takes the place of the one before.
  for (let times = 0; times < 5; times += 1) waiting.add('key', account, answer(29))
  await waiting.write()
  expect(parts.flat()).toEqual(['25', '26', '27', '28', '29'])
})

test('what Redis objects to is not tried without end', async () => {
  const write = vi.fn(() => Promise.reject(new Error('WRONGTYPE')))
  const waiting = new WaitingAnswers(() => true)
  waiting.add('key', { write }, answer(0))
  await waiting.write()
  expect(write).toHaveBeenCalledTimes(1)
})

describe.skipIf(!hasRedis)(`after an outage with many purchases${withoutRedis}`, () => {
  let redis: RedisServer
  let relay: Relay
  const open: { close(): Promise<void> }[] = []
  beforeAll(async () => {
    redis = await startRedis()
    relay = await relayTo(redis.url)
  })
  afterAll(async () => {
    for (const one of open.splice(0)) await one.close()
    await relay.close()
    await redis.stop()
  })

  async function connected() {
    const changes: (string | null)[] = []
    const onChange = (reason: string | null) => void changes.push(reason)
    const connection = new RedisConnection(relay.url, { onChange, longestWaitMs: 5_000 })
    const answers = new AnswerRedis(connection, { keptFor: 86_400_000, service: 'test' })
    open.push(answers, connection)
    await connection.ready(30_000)
    return { answers, connection, changes }
  }

  test('they are written in parts of a quarter of a mebibyte, and others find all of them', async () => {
    const one = await connected()
    const { keep } = one.answers.open('key', () => {})
    await redis.kill()
    await vi.waitFor(() => expect(one.connection.isUp).toBe(false), patience)
    for (let nth = 0; nth < 150; nth += 1) keep(answer(nth))
    await new Promise((passed) => setTimeout(passed, 200)) // longer than answers are collected
    relay.forget()
    await redis.start()
    await one.connection.ready(30_000)
    await vi.waitFor(
      async () => {
        const [answers = 'none'] = (await redis.send('KEYS', '*:answers')) as string[]
        expect(await redis.send('HLEN', answers)).toBe(150)
      },
      { timeout: patience, interval: 50 },
    )
    expect(Math.max(...relay.trips.map(({ length }) => length))).toBeLessThan(300 * kibibyte)
    expect(one.changes).toEqual([null, expect.stringMatching(/^Redis is not connected/), null])
    const come: string[] = []
    const other = await connected()
    const account = other.answers.open('key', (bought) => come.push(...bought.map(nameOf)))
    await account.sharing?.take([])
    expect(new Set(come).size).toBe(150)
  })
})
