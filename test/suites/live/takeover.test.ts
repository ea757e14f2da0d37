import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-sse'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startChangingService } from '../../changing-service.ts'
import { basketball, startSample, today } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
import { patientProgram } from '../../started.ts'
import { hasRedis, startRedis, withoutRedis } from '../../store/redis/redis-server.ts'
import type { RedisServer } from '../../store/redis/redis-server.ts'

/** Seconds between two polls of a game under way. */
const interval = 4

/** Seconds between two polls, if none but the first may come. */
const longInterval = 600

/** Milliseconds after which an instance that is dead keeps no other from a poll. */
const longestLease = 2_000

/** A service in which the home team of every running game has one point more with each answer. */
interface Service {
  readonly port: number
  close(): Promise<unknown>
  /** Answers so far, and so the points of the last. */
  answers: number
  /** Requests that wait until they are let go; null if none has to wait. */
  held: (() => void)[] | null
}

async function serve(sample: Sample): Promise<Service> {
  const server = await startChangingService(sample.url, async (rows) => {
    if (service.held) await new Promise<void>((letGo) => service.held?.push(letGo))
    service.answers += 1
    for (const row of Object.values(rows))
      if (row['status'] && row['status'] !== 'final')
        Object.assign(row, { status: 'in_progress', home_score: service.answers })
  })
  const service: Service = { ...server, answers: 0, held: null }
  return service
}

interface Instance {
  readonly child: ChildProcess
  readonly url: string
}

let sample: Sample
let redis: RedisServer
let service: Service
let folder: string
const instances: Instance[] = []
const leaving: (() => void)[] = []

async function start(name: string, seconds = interval): Promise<Instance> {
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: join(folder, name),
    PORT: '0',
    LOG_LEVEL: 'silent',
    FRESH_LIVE: String(seconds),
    REDIS_URL: redis.url,
    UPSTREAM_URL: `http://127.0.0.1:${service.port}/v1`,
    UPSTREAM_API_KEY: sample.apiKey,
    UPSTREAM_TIMEOUT_MS: '600000',
    DEFAULT_ORGANIZATION_ID: basketball.organization_id,
    DEFAULT_DIVISION_ID: basketball.division_id,
  }
  const [file = '', ...args] = patientProgram
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const url = await new Promise<string>((listening, failed) => {
    let output = ''
    child.once('exit', (code) => failed(new Error(`Statline ended with ${code}: ${output}${said}`)))
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString()
      const [, found] = /The graph listens on (\S+)/.exec(output) ?? []
      if (found) listening(found)
    })
  })
  const instance = { child, url }
  instances.push(instance)
  return instance
}

/** The points of games under way, as a subscriber hears them. */
function listen({ url }: Instance): readonly number[] {
  const heard: number[] = []
  const client = createClient({ url, retryAttempts: 0 })
  const leave = client.subscribe<{ scores: { status: string; homeScore: number } }>(
    { query: `subscription { scores(date: "${today}") { status homeScore } }` },
    {
      next: ({ data }) => {
        if (data?.scores.status === 'in_progress') heard.push(data.scores.homeScore)
      },
      error: () => {},
      complete: () => {},
    },
  )
  leaving.push(leave, () => client.dispose())
  return heard
}

/** For how many milliseconds what is being bought is reserved. */
async function leases(): Promise<readonly number[]> {
  const names = (await redis.send('KEYS', '*:lease:*')) as string[] // as Redis answers
  return Promise.all(names.map(async (name) => Number(await redis.send('PTTL', name))))
}

const latest = (heard: readonly number[]) => heard.at(-1) ?? 0

describe.skipIf(!hasRedis)(`an instance that is killed${withoutRedis}`, () => {
  beforeAll(async () => {
    sample = await startSample()
  })
  afterAll(() => sample.close())
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'takeover-'))
    redis = await startRedis()
    service = await serve(sample)
  })
  afterEach(async () => {
    for (const leave of leaving.splice(0)) leave()
    for (const { child } of instances.splice(0)) child.kill('SIGKILL')
    await service.close()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const soon = { interval: 20 }

  it('while it polls leaves the poll to another, within an interval', async () => {
    const [one, other] = [await start('one', longInterval), await start('other', longInterval)]
    // Its poll does not come back.
    service.held = []
    listen(one)
    await expect.poll(() => service.held?.length, soon).toBe(1)
    const isShort = (ms: number) => ms > 0 && ms <= longestLease
    await expect.poll(leases, soon).toEqual([expect.toSatisfy(isShort)])
    const before = service.answers
    const ofOther = listen(other)
    one.child.kill('SIGKILL')
    // It waits neither for the next interval nor for the time limit of the answer, which are ten minutes.
    await expect.poll(() => service.held?.length, soon).toBe(2)
    const [, ofTheOther] = service.held
    service.held = null
    ofTheOther?.()
    await expect.poll(() => latest(ofOther), soon).toBe(before + 1)
  })

  it('between polls is not missed: the other goes on, and each poll was bought once', async () => {
    const [one, other] = [await start('one'), await start('other')]
    const [ofOne, ofOther] = [listen(one), listen(other)]
    await expect.poll(() => Math.min(latest(ofOne), latest(ofOther)), soon).toBeGreaterThan(0)
    const [began, bought] = [performance.now(), service.answers]
    await expect.poll(() => latest(ofOne) >= bought + 3 && latest(ofOther) >= bought + 3, soon).toBe(true)
    const intervals = (performance.now() - began) / (interval * 1_000)
    // Alone, each would buy its own.
    expect(service.answers - bought).toBeLessThanOrEqual(1.5 * intervals + 1)
    const killed = service.answers
    one.child.kill('SIGKILL')
    await expect.poll(() => latest(ofOther), soon).toBeGreaterThan(killed)
  })
})
