import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openShared } from '../../../src/money/open-ledger.ts'
import { MemoryOutbox } from '../../../src/money/files/outbox.ts'
import { AnswerRedis } from '../../../src/store/answers/answer-redis.ts'
import { applyScript, beatScript } from '../../../src/store/ledger/scripts.ts'
import { findScript, renewScript, settleScript, takeScript } from '../../../src/store/answers/scripts.ts'
import { RedisConnection } from '../../../src/store/redis/connection.ts'
import { RedisLedger } from '../../../src/store/ledger/redis-ledger.ts'
import { startSample, teamsOfToday } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
import { sampleNow } from '../../sample.setup.ts'
import { hasRedis, startRedis, withoutRedis } from './redis-server.ts'
import type { RedisServer } from './redis-server.ts'
import { patience } from '../../patience.ts'

/** The oldest version that the documentation promises. */
const oldest = [6, 0, 0]

/** A command's or an option's version, and whether the oldest one has it. */
const isOld = (since: string) => {
  const [major = 0, minor = 0, patch = 0] = since.split('.').map(Number)
  const [least = 0, minorLeast = 0, patchLeast = 0] = oldest
  return (
    major < least ||
    (major === least && (minor < minorLeast || (minor === minorLeast && patch <= patchLeast)))
  )
}

/** A reply of pairs, as RESP2 sends a map. */
const pairsOf = (reply: unknown): ReadonlyMap<string, unknown> => {
  const list = reply as readonly unknown[]
  return new Map(
    Array.from({ length: list.length / 2 }, (_, nth) => [String(list[2 * nth]), list[2 * nth + 1]]),
  )
}

/** The words of a command's options that came later than the oldest version, at any depth. */
function laterWords(given: unknown, isInLater = false): string[] {
  return ((given ?? []) as readonly unknown[]).flatMap((one) => {
    const argument = pairsOf(one)
    const since = argument.get('since')
    const isLater = isInLater || (typeof since === 'string' && !isOld(since))
    return [
      ...(isLater && argument.has('token') ? [String(argument.get('token'))] : []),
      ...laterWords(argument.get('arguments'), isLater),
    ]
  })
}

describe.skipIf(!hasRedis)(`commands sent to Redis${withoutRedis}`, () => {
  let redis: RedisServer
  let sample: Sample
  const seen: string[][] = []

  beforeAll(async () => {
    redis = await startRedis()
    sample = await startSample()
    const monitor = createClient({ url: redis.url, RESP: 2 })
    monitor.on('error', () => {})
    await monitor.connect()
    await monitor.monitor((line) => {
      const args = [...String(line).matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, one = '']) => one)
      seen.push(args)
    })
    await useAll()
    await vi.waitFor(() => expect(seen.map(([name]) => name)).toContain('PING'), patience)
    monitor.destroy()
  })
  afterAll(async () => {
    await sample.close()
    await redis.stop()
  })

  /** Uses everything that Statline does with Redis. */
  async function useAll(): Promise<void> {
    const connection = new RedisConnection(redis.url, { longestWaitMs: 10_000 })
    const clientBudgets = new Map([['web', 1_000]])
    const ledger = new RedisLedger({
      redis: connection,
      outbox: new MemoryOutbox(),
      clock: () => sampleNow,
      budget: 10_000,
      clientBudgets,
      leaseMs: 60_000,
      onFailure: (error) => {
        throw error
      },
    })
    const answers = new AnswerRedis(connection, { keptFor: 172_800_000, service: 'sample', leaseMs: 30 })
    await ledger.ready(10_000)
    const graph = sample.graph({
      answers,
      budget: 10_000,
      clientBudgets,
      ledger: openShared(ledger, () => {}),
    })
    const headers = { 'graphql-client-name': 'web' }
    for (const id of (await teamsOfToday(sample)).slice(0, 2))
      await graph.query(`{ team(id: "${id}") { name } }`, { headers })
    await ledger.bookLost(3_600_000)
    await ledger.spending('2026-02-14', '2026-02-14')
    await ledger.refresh('key')
    const account = answers.open('key', () => {})
    await account.find?.('form')
    await account.sharing?.take(['thing'])
    await vi.waitFor(() => expect(seen.map(([, hash]) => hash)).toContain(renewScript.hash), patience)
    account.sharing?.release(['thing'])
    await answers.close()
    await graph.upstream.ledgers.books.close()
    await connection.send(['PING'])
    await connection.close()
  }

  test('every script was run', () => {
    const scripts = { applyScript, beatScript, findScript, renewScript, settleScript, takeScript }
    const run = new Set(seen.filter(([name]) => /^eval(sha)?$/i.test(name ?? '')).map(([, text]) => text))
    const missing = Object.entries(scripts).filter(([, { hash }]) => !run.has(hash))
    expect(missing.map(([name]) => name)).toEqual([])
  })

  test('Redis 6.0 knows them all, with their options', async ({ skip }) => {
    const info = String(await redis.send('INFO', 'server'))
    if (Number(/redis_version:(\d+)/.exec(info)?.[1]) < 7)
      skip('This Redis does not tell since when it knows what.')
    const names = [...new Set(seen.map(([name = '']) => name.toLowerCase()))]
    expect(names).toEqual(expect.arrayContaining(['evalsha', 'hset', 'zadd', 'set', 'hscan']))
    const docs = pairsOf(await redis.send('COMMAND', 'DOCS', ...names))
    const tooNew: string[] = []
    for (const [name = '', ...args] of seen) {
      const known = pairsOf(docs.get(name.toLowerCase()) ?? [])
      if (!isOld(String(known.get('since') ?? '99'))) tooNew.push(name)
      for (const word of laterWords(known.get('arguments')))
        if (args.some((arg) => arg.toUpperCase() === word)) tooNew.push(`${name} ${word}`)
    }
    expect(new Set(tooNew)).toEqual(new Set())
  })
})
