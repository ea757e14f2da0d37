import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, validate } from 'graphql'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { schema } from '../../src/schema.ts'
import { AnswerFile } from '../../src/store/answers/answer-file.ts'
import { AnswerRedis } from '../../src/store/answers/answer-redis.ts'
import { RedisConnection } from '../../src/store/redis/connection.ts'
import {
  ConnectionLostError,
  TimeoutError,
  UnavailableError,
  UpstreamError,
} from '../../src/errors/errors.ts'
import type { Incoming, Transport } from '../../src/wire/transport.ts'
import { DocumentGenerator, numbersFrom } from '../graph/execution/documents.ts'
import { basketball, graphOver, season, startSample, today } from '../graph/harness.ts'
import type { Answer, Graph, Sample } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'
import type { Json } from '../service/client.ts'
import { hasRedis, startRedis, withoutRedis } from './redis/redis-server.ts'
import { longest } from '../patience.ts'

/**
 * Random queries of two keys, in parallel and one after the other, with restarts, evictions, clock jumps and
 * failures of the service. Each answer must equal that of a process with an empty cache, and report every
 * token. Take hundreds of steps with `HISTORY_STEPS=150 npx vitest run --project suites history`, and others
 * with another `HISTORY_SEED`. With less room, in `HISTORY_KEPT` bytes, more is evicted.
 */
const steps = Number(process.env['HISTORY_STEPS'] ?? 30)
const seed = Number(process.env['HISTORY_SEED'] ?? 11)

interface Document {
  readonly text: string
  readonly variables: Record<string, unknown>
}

interface Instance extends Graph {
  stop(): Promise<void>
}

let sample: Sample
let recorded: Transport
let documents: readonly Document[]

beforeAll(async () => {
  sample = await startSample()
  const answers = new Map<string, Incoming>()
  recorded = async (request) => {
    const form = `${request.apiKey} ${request.method} ${request.path} ${request.body}`
    // A copy, because the body is dropped once it is read.
    const answer = answers.get(form) ?? { ...(await sample.transport(request)) }
    answers.set(form, answer)
    await new Promise(setImmediate)
    return answer
  }
  documents = await generated()
})
afterAll(() => sample.close())

async function generated(): Promise<readonly Document[]> {
  const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const column = (name: string) => games.slice(0, 6).map((row) => String(row[name]))
  const teams = column('home_team_id')
  const of = { organization_id: basketball.organization_id, team_id: teams[0] ?? '', season }
  const players = await sample.rows('team/getPlayers', of)
  const team = (Object.values(games[0]?.['teams'] ?? {}) as Json[])[0]
  const ids = {
    Game: column('game_id'),
    Team: teams,
    Player: players.slice(0, 6).map((row) => String(row['player_id'])),
    Conference: [String(team?.['conference_id'])],
  }
  const generator = new DocumentGenerator(schema, { season, date: today, ids }, seed)
  const found: Document[] = []
  while (found.length < 30) {
    const { text, variables } = generator.next()
    if (validate(schema, parse(text)).length === 0) found.push({ text, variables: { ...variables } })
  }
  return found
}

/** A value with unordered lists: a season of scores is sorted by what is known of its games. */
const unordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(unordered(one))).toSorted()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unordered(one)]))
}

type Random = (below: number) => number

/** A service that spoils this share of its answers, in one of several ways. */
function spoiled(random: Random, shareOf: () => number): Transport {
  return async (request) => {
    const answer = await recorded(request)
    if (random(1_000) >= 1_000 * shareOf()) return answer
    const spoil: readonly (() => Incoming)[] = [
      () => ({ status: 503, headers: {}, body: '<html>', bytes: 6 }),
      () => ({ ...answer, body: '', failure: new UpstreamError('It is cut off.') }),
      () => ({ ...answer, body: answer.body.slice(0, random(answer.body.length)) }),
      () => ({ ...answer, body: '{"error":"Try again later."}' }),
      () => thrown(new ConnectionLostError('It is lost.')),
      () => thrown(new TimeoutError('It is late.')),
      () => thrown(new UnavailableError('It is away.')),
    ]
    return spoil[random(spoil.length)]?.() ?? answer
  }
}

function thrown(error: Error): never {
  throw error
}

const clockSteps = [1, 900, 20_000, 400_000, 7_200_000, 90_000_000, -3_600_000, -86_400_000, -500]

/** Takes the steps, and compares each answer. */
async function live(start: (transport: Transport, clock: () => number) => Promise<Instance>, count: number) {
  const numbers = numbersFrom(seed)
  const random: Random = (below) => Math.floor(numbers() * below)
  let [now, share, told, booked, compared] = [sampleNow, 0, 0, 0, 0]
  const clock = () => now
  const begin = () =>
    start(
      spoiled(random, () => share),
      clock,
    )
  const instances = await Promise.all(Array.from({ length: count }, begin))
  const ask = async () => {
    const [graph, document] = [instances[random(count)], documents[random(documents.length)]]
    if (!graph || !document) return
    const [at, isHealthy] = [now, share === 0]
    const apiKey = ['sample-paid', 'sample-paid', 'sample-trial'][random(3)] ?? ''
    const options = { variables: document.variables, headers: { 'x-api-key': apiKey } }
    const answer = await graph.query(document.text, options)
    told += answer.extensions.usage.tokens
    const cold = graphOver(recorded, { apiKey: null, clock: () => at, timeoutMs: 60_000 })
    const expected = await cold.query(document.text, options)
    // What another query has brought may answer what a key may not ask for.
    if (expected.errors || !isHealthy || share > 0) return
    if (apiKey === 'sample-trial' && isSpent(answer)) return
    compared += 1
    expect(shown(answer), document.text).toEqual(shown(expected))
  }
  for (let step = 0; step < steps; step += 1) {
    if (random(6) === 0) share = [0, 0, 0.2, 0.7][random(4)] ?? 0
    await Promise.all(Array.from({ length: random(3) === 0 ? 3 : 1 }, ask))
    if (random(3) === 0) now = within(now + (clockSteps[random(clockSteps.length)] ?? 0))
    if (random(6) > 0) continue
    const which = random(count)
    booked += (await ended(instances[which])) ?? 0
    instances[which] = await begin()
  }
  share = 0
  for (let last = 0; last < steps / 2; last += 1) await ask()
  for (const one of instances) booked += (await ended(one)) ?? 0
  expect(compared).toBeGreaterThan(steps / 4)
  expect(told).toBe(booked)
}

/** Stops an instance. Answers with the tokens that it has booked. */
async function ended(instance: Instance | undefined) {
  await instance?.stop()
  return instance?.upstream.ledgers.totals().tokens
}

/** Whether the trial key has no tokens left. The cold process is answered from a recording. */
const isSpent = ({ errors = [] }: Answer<unknown>) =>
  errors.some(({ extensions }) => extensions?.['code'] === 'BUDGET_EXCEEDED')

const shown = ({ data, errors }: Answer<unknown>) => ({ data: unordered(data), errors })

const within = (moment: number) =>
  Math.min(Math.max(moment, sampleNow - 172_800_000), sampleNow + 345_600_000)

/** So little room that rows are evicted. */
const mostKept = Number(process.env['HISTORY_KEPT'] ?? 3_000_000)
const tight = { apiKey: null, timeoutMs: 60_000, mostKept, mostParked: 400_000 }

const keptFor = 172_800_000
const longestLife = Math.max(longest, 3_000 * steps)

test(
  'in memory alone',
  () =>
    live(
      async (transport, clock) => ({ ...graphOver(transport, { ...tight, clock }), stop: async () => {} }),
      1,
    ),
  longestLife,
)

test(
  'with a file',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'history-'))
    await live(async (transport, clock) => {
      const answers = new AnswerFile(folder, {
        clock,
        keptFor,
        service: 'test',
        warn: (text) => thrown(new Error(text)),
      })
      return { ...graphOver(transport, { ...tight, clock, answers }), stop: () => answers.close() }
    }, 1)
    rmSync(folder, { recursive: true, force: true })
  },
  longestLife,
)

test.skipIf(!hasRedis)(
  `on two instances with a Redis${withoutRedis}`,
  async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    await live(async (transport, clock) => {
      const connection = new RedisConnection(redis.url, { longestWaitMs: 5_000 })
      await connection.ready(30_000)
      // Longer than a busy machine keeps a lease from being renewed.
      const answers = new AnswerRedis(connection, { keptFor, service: 'test', leaseMs: 600_000 })
      const stop = async () => {
        await answers.close()
        await connection.close()
      }
      return { ...graphOver(transport, { ...tight, clock, answers }), stop }
    }, 2)
  },
  longestLife,
)
