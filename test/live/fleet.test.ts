import type { Span } from '@opentelemetry/api'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { GameSnapshot } from '../../src/live/game-snapshot.ts'
import type { Update } from '../../src/live/listener.ts'
import { pollerOf } from '../../src/live/pollers.ts'
import { nothing } from '../../src/plan/selection.ts'
import { noSpan } from '../../src/trace.ts'
import { AnswerRedis } from '../../src/store/answers/answer-redis.ts'
import { RedisConnection } from '../../src/store/redis/connection.ts'
import { ClientRequest } from '../../src/account/client-request.ts'
import { fakedTimers } from '../client/living.ts'
import { basketball, graphOver, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { answerOf } from '../graph/spoiled.ts'
import { sampleNow } from '../sample.setup.ts'
import { hasRedis, startRedis, withoutRedis } from '../store/redis/redis-server.ts'
import type { RedisServer } from '../store/redis/redis-server.ts'
import { patience } from '../patience.ts'

const realTimeout = setTimeout
const interval = 16_000
/**
 * Redis' timers are faked too: a command that is pending while the clock moves must not count as unanswered.
 */
const longerThanAllThatPasses = 600_000
/**
 * Milliseconds before the service answers, in turn, so that the polls of instances meet in different orders.
 */
const delays = [0, 35, 5, 60, 15]

describe.skipIf(!hasRedis)(`subscribers of several instances that share a Redis${withoutRedis}`, () => {
  let redis: RedisServer
  let sample: Sample
  let now = sampleNow
  let points = 1
  let answered = 0
  const open: { close(): Promise<void> }[] = []
  beforeAll(async () => {
    ;[redis, sample] = await Promise.all([startRedis(), startSample()])
  })
  afterEach(() => vi.useRealTimers())
  afterAll(async () => {
    for (const one of open) await one.close()
    await redis.stop()
    await sample.close()
  })

  /** An instance whose one subscriber notes what it is told. */
  async function instance() {
    const connection = new RedisConnection(redis.url, { longestWaitMs: longerThanAllThatPasses })
    const answers = new AnswerRedis(connection, { keptFor: 86_400_000, service: 'test', leaseMs: 600_000 })
    open.push(answers, connection)
    await connection.ready(30_000)
    const graph = graphOver(
      async (request) => {
        await new Promise((resolve) => realTimeout(resolve, delays[answered++ % delays.length]))
        const answer = await sample.transport(request)
        const rows = JSON.parse(answer.body)
        for (const row of Object.values<Record<string, unknown>>(rows))
          if (row['status'] && row['status'] !== 'final')
            Object.assign(row, { status: 'in_progress', home_score: points })
        return answerOf(rows, { headers: answer.headers })
      },
      { answers, clock: () => now },
    )
    const told: GameSnapshot[] = []
    const account = graph.upstream.accountOf('sample-paid')
    const poller = pollerOf(account, { ...basketball, date: today })
    const listener = {
      clientRequest: new ClientRequest(account),
      field: 'Subscription.scores',
      selection: nothing,
      traced: <T>(poll: (span: Span) => T) => poll(noSpan),
      game: null,
      isToday: false,
      onUpdate: ({ changes }: Update) => void told.push(...changes),
      onMissing: () => {},
    }
    return {
      told,
      calls: graph.calls,
      join: () => poller.join(listener, listener.clientRequest),
      leave: () => poller.leave(listener),
    }
  }

  /** Waits in real time, whatever the timers of the pollers do. */
  async function until(isSo: () => boolean) {
    for (let turn = 0; !isSo(); turn += 1) {
      if (turn > patience / 10) throw new Error('What was waited for did not come.')
      await new Promise((resolve) => realTimeout(resolve, 10))
    }
  }

  async function pass() {
    points += 1
    now += interval
    await vi.advanceTimersByTimeAsync(interval)
  }

  test('each poll is bought once, all are told, and one takes over when another leaves', async () => {
    const [one, other] = [await instance(), await instance()]
    vi.useFakeTimers(fakedTimers)
    expect((await one.join()).snapshots.length).toBeGreaterThan(0)
    const cold = one.calls.take()
    expect((await other.join()).snapshots.length).toBeGreaterThan(0)
    expect([cold, other.calls.take()]).toEqual([['game/getScores 1'], []])

    const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
    const live = games.filter(({ status }) => status !== 'final').length
    for (let poll = 1; poll <= 3; poll += 1) {
      await pass()
      await until(() => one.told.length === poll * live && other.told.length === poll * live)
      const calls = [...one.calls.take(), ...other.calls.take()]
      expect(calls.length).toBeGreaterThan(0)
      expect(new Set(calls).size).toBe(calls.length)
    }

    await one.leave()
    await pass()
    await until(() => other.told.length === 4 * live)
    expect(one.calls.take()).toEqual([])
    expect(other.calls.take().length).toBeGreaterThan(0)
    await other.leave()
  })
})
