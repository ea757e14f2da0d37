import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { connect, createServer as createSocketServer } from 'node:net'
import type { AddressInfo, Server as SocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApolloClient, InMemoryCache } from '@apollo/client/core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { cacheOptions } from '../../src/client/apollo-cache.ts'
import { LiveLink } from '../../src/client/apollo-link.ts'
import { Client } from '../../src/client/client.ts'
import { LiveScoresDocument } from '../../src/client/generated/graphql.ts'
import { Capabilities } from '../../src/capabilities/capabilities.ts'
import { capabilitiesFile, writeCapabilities } from '../../src/capabilities/file.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import { readLedger } from '../../src/money/files/read-ledger.ts'
import { readSizes, SIZES_FILE } from '../../src/upstream/sizes-file.ts'
import type { Json } from '../service/client.ts'
import { hasRedis, startRedis, withoutRedis } from '../store/redis/redis-server.ts'

const root = join(import.meta.dirname, '../..')

/** Values that each variable refuses; none if it takes any text. */
const bad: Readonly<Record<string, readonly string[]>> = {
  PORT: ['65536', '-1', 'http', '4000.5', '0x10'],
  ADMIN_PORT: ['65536', '-1', 'http', '4000'],
  HOST: [],
  UPSTREAM_URL: [
    'not an address',
    'ftp://host/v1',
    'localhost:4001',
    'http://a:b@host/v1',
    'http://host/v1?x=1',
    'http://host/#v1',
  ],
  UPSTREAM_API_KEY: ['two words', 'line\nbreak', 'schlüssel'],
  UPSTREAM_TIMEOUT_MS: ['0', 'soon', '-5'],
  UPSTREAM_BATCH_SIZE: ['0', 'many'],
  UPSTREAM_CONCURRENCY: ['0', 'many'],
  FRESH_LIVE: ['-1', '1.5', 'soon'],
  FRESH_CURRENT: ['-1', '5m'],
  FRESH_REFERENCE: ['-1', 'day'],
  STALE_IF_ERROR: ['-1', 'no'],
  UPSTREAM_MAX_BYTES: ['0', 'many'],
  MAX_SUBSCRIPTIONS: ['0', 'many'],
  MAX_SUBSCRIPTIONS_PER_CLIENT: ['0', 'many'],
  MONTHLY_TOKEN_BUDGET: ['-1', '1e3', 'much'],
  CLIENT_BUDGETS: [],
  UPSTREAM_TAPE: ['record', 'play:file', 'replay:'],
  MAX_TOKENS_PER_QUERY: ['-1', 'many', '1.5'],
  MAX_CALLS_PER_QUERY: ['0', 'many'],
  DEFAULT_ORGANIZATION_ID: ['basketball', '42'],
  DEFAULT_DIVISION_ID: ['one', '42'],
  CORS_ORIGINS: [],
  ALLOWED_HOSTS: ['http://host', 'host:80', 'host/v1'],
  DRAIN_SECONDS: ['-1', 'soon', '1.5'],
  LOG_LEVEL: ['loud'],
  TRUSTED_DOCUMENTS: [],
  TRUSTED_DOCUMENTS_ONLY: ['perhaps'],
  SERVICE_PORT: ['70000', 'x'],
  DATABASE_URL: ['mysql://host/db', 'nothing', 'postgres:host'],
  REDIS_URL: [
    'localhost:6379',
    'http://localhost:6379',
    'nothing',
    'redis://',
    'redis://host/first',
    'redis://host/0?x=1',
    'redis://:100%@host',
  ],
  DATA_DIR: [],
  CAPABILITIES: [],
}

describe('the environment', () => {
  const cases = Object.entries(bad).flatMap(([name, values]) => values.map((value) => [name, value] as const))

  test.each(cases)('%s=%j stops the start with one line that names the variable', (name, value) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(ConfigError)
    try {
      read()
    } catch (error) {
      const { message } = error as Error // just thrown
      expect(message).toContain(name)
      expect(message.split('\n')).toHaveLength(1)
    }
  })

  test('every variable that is read is known here', () => {
    const text = readFileSync(join(root, 'src/config.ts'), 'utf8')
    const names = [...text.matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g)].map(([, name = '']) => name)
    expect([...new Set(names)].filter((name) => !Object.hasOwn(bad, name))).toEqual([])
  })

  test('a variable that is empty counts as unset', () => {
    const empty = Object.fromEntries(Object.keys(bad).map((name) => [name, ' ']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  test('the address of a database is taken as it stands, that of a service without slashes at its end', () => {
    const read = readConfig({ DATABASE_URL: 'postgres://', UPSTREAM_URL: 'http://host/v1//' })
    expect([read.databaseUrl, read.upstreamUrl]).toEqual(['postgres://', 'http://host/v1'])
  })

  test('an address of the service without a version is a warning, because every operation would be unknown', () => {
    const warningsOf = (url: string) => readConfig({ UPSTREAM_URL: url }).warnings
    expect(warningsOf('https://service.test')).toEqual([
      expect.stringMatching(/^UPSTREAM_URL has no version/),
    ])
    expect(warningsOf('https://service.test/stats')).toHaveLength(1)
    for (const url of [
      'https://service.test/v1',
      'http://proxy.test/stats/v2/',
      'https://service.test/v1/us',
    ])
      expect(warningsOf(url)).toEqual([])
  })

  test('hosts are listed by name or address, and * is every host', () => {
    const hosts = (text: string) => readConfig({ ALLOWED_HOSTS: text }).allowedHosts
    expect(hosts('stats.example.com, 192.0.2.7 [2001:db8::7]')).toEqual([
      'stats.example.com',
      '192.0.2.7',
      '[2001:db8::7]',
    ])
    expect([hosts('*'), hosts('a, *'), hosts('')]).toEqual(['*', '*', null])
  })

  test.each([
    ['MONTHLY_TOKEN_BUDGT', 'MONTHLY_TOKEN_BUDGET'],
    ['MONTHLY_BUDGET', 'MONTHLY_TOKEN_BUDGET'],
    ['MONTHLY_LIMIT', 'MONTHLY_TOKEN_BUDGET'],
    ['UPSTREAM_ULR', 'UPSTREAM_URL'],
    ['UPSTREAM_KEY', 'UPSTREAM_API_KEY'],
    ['API_KEY', 'UPSTREAM_API_KEY'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['ALLOWED_HOST', 'ALLOWED_HOSTS'],
    ['DEFAULT_ORG_ID', 'DEFAULT_ORGANIZATION_ID'],
    ['DATADIR', 'DATA_DIR'],
    ['PROT', 'PORT'],
    ['STATLINE_PORT', 'PORT'],
    ['STATLINE_MONTHLY_BUDGET', 'MONTHLY_TOKEN_BUDGET'],
  ])('%s is warned of, for it looks like %s', (name, closest) => {
    const { warnings } = readConfig({ [name]: '1' })
    expect(warnings).toEqual([`The variable ${name} is unknown and has no effect. Is ${closest} meant?`])
  })

  test('nothing is said of variables of other programs', () => {
    const others =
      'PATH HOME USER LANG TERM PWD SHELL SHLVL EDITOR HOSTNAME NODE_ENV NODE_OPTIONS TMPDIR DISPLAY COLOR CI ' +
      'PGHOST PGPORT OPENAI_API_KEY AWS_DEFAULT_REGION KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT_HTTPS ' +
      'STATLINE_SERVICE_HOST STATLINE_SERVICE_PORT STATLINE_PORT STATLINE_PORT_4000_TCP XDG_DATA_DIRS npm_config_port npm_package_name _ no_proxy'
    const known = Object.keys(bad).filter((name) => bad[name]?.length === 0)
    const environment = Object.fromEntries([...others.split(' '), ...known].map((name) => [name, '']))
    expect(readConfig(environment).warnings).toEqual([])
  })

  test('a password in an address is not told', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://user:hunter2@host/db' })).toThrow(/^(?!.*hunter2)/)
  })
})

interface Running {
  readonly process: ChildProcess
  readonly url: string
  readonly output: () => string
  readonly exit: Promise<number | null>
}

const running: ChildProcess[] = []
let sample: Sample
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'statline-start-'))
  sample = await startSample()
}, 120_000)
afterAll(async () => {
  await sample.close()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => {
  for (const child of running.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
})

const program = [process.execPath, join(root, 'dist/main.js')]

/** As the README has it, but for the build that comes before. */
const npmStart = ['npm', '--prefix', root, 'start', '--ignore-scripts']

function run(environment: Record<string, string>, [command = '', ...args] = program): Running {
  const { PATH = '' } = process.env
  const env = { PATH, DATA_DIR: folder, PORT: '0', DRAIN_SECONDS: '0', ...environment }
  const child = spawn(command, args, { cwd: folder, env })
  running.push(child)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exit = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return { process: child, url: '', output: () => output, exit }
}

/** Statline over a service elsewhere, once it listens. */
async function start(environment: Record<string, string>, command = program): Promise<Running> {
  const started = run(environment, command)
  // A machine that does something else besides may take long.
  for (let nth = 0; nth < 2_000; nth += 1) {
    const [, url] = /The graph listens on (\S+)\/graphql/.exec(started.output()) ?? []
    if (url) return { ...started, url }
    if (started.process.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`Statline did not start: ${started.output()}`)
}

async function ask(
  url: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<Json & { errors?: Json[] }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
  return (await response.json()) as Json & { errors?: Json[] } // a GraphQL answer
}

async function readAll(read: () => Promise<boolean>): Promise<void> {
  while (await read()) await Promise.resolve()
}

async function listening(server: SocketServer): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
}

const league = {
  DEFAULT_ORGANIZATION_ID: basketball.organization_id,
  DEFAULT_DIVISION_ID: basketball.division_id,
}

describe('the program', () => {
  test('answers queries over the service that it is pointed at, and ends with 0 at SIGTERM', async () => {
    const {
      url,
      process: child,
      exit,
    } = await start({ UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'sample-paid', ...league })
    expect((await fetch(`${url}/health`)).status).toBe(200)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    const answer = await ask(
      url,
      `{ league { games(date: "${today}") { homeTeam { name stats { points { rank } } } } } }`,
    )
    expect(answer.errors).toBeUndefined()
    expect(JSON.stringify(answer['data'])).toContain('"rank":1')
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  test('ends with 0 at a SIGTERM to npm start, and leaves nothing behind', async () => {
    const { url, process: npm, exit } = await start({ UPSTREAM_URL: sample.url }, npmStart)
    expect((await fetch(`${url}/health`)).status).toBe(200)
    npm.kill('SIGTERM')
    expect(await exit).toBe(0)
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
  })

  test('without a key of its own passes on its clients’', async () => {
    const { url } = await start({ UPSTREAM_URL: sample.url, ...league })
    const query = `{ league { games(date: "${today}") { status } } }`
    expect((await ask(url, query)).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
    expect((await ask(url, query, { 'x-api-key': 'sample-trial' })).errors).toBeUndefined()
  })

  test('answers what has begun before it ends at SIGTERM, though npm passes it on a second time', async () => {
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => (arrived = resolve))
    const slow = createServer((_request, response) => {
      arrived()
      setTimeout(
        () => response.end('{"1":{"organization_id":"1","name":"Slow","inactive":0,"deleted":0}}'),
        600,
      )
    })
    const {
      url,
      process: child,
      exit,
    } = await start({ UPSTREAM_URL: `${await listening(slow)}/v1`, UPSTREAM_API_KEY: 'any' })
    const answer = ask(url, '{ organizations { name } }')
    await arrival
    child.kill('SIGTERM')
    child.kill('SIGTERM') // as npm passes on what all of its group were sent
    expect(await answer).toMatchObject({ data: { organizations: [{ name: 'Slow' }] } })
    expect(await exit).toBe(0)
    slow.close()
  })

  test('logs what it cuts off at SIGTERM with its bill, before it ends', async () => {
    const hanging = createServer(() => {})
    const address = await listening(hanging)
    const own = { DATA_DIR: join(folder, 'cut') }
    const { url, ...program } = await start({
      UPSTREAM_URL: `${address}/v1`,
      UPSTREAM_API_KEY: 'any',
      ...own,
    })
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    await once(socket, 'open')
    socket.send('{"type":"connection_init"}')
    await once(socket, 'message')
    const query = 'query Cut { organizations { name } }'
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
    await once(hanging, 'request')
    program.process.kill('SIGTERM')
    expect(await program.exit).toBe(0)
    const lines = program
      .output()
      .split('\n')
      .filter((line) => line.includes('"operation":"Cut"'))
    const booked = readLedger(own.DATA_DIR, '2000-01-01', '2100-01-01')
    expect(booked).toMatchObject([{ operation: 'Cut', service: 'organization/read', calls: 1 }])
    const tokens = Number(booked[0]?.tokens)
    expect(lines.map((line) => JSON.parse(line) as Json)).toMatchObject([
      {
        status: 101,
        outcome: 'cut',
        tokens,
        tokensByOperation: { 'organization/read': tokens },
        attempts: 1,
      },
    ])
    hanging.close()
  })

  test('drains at SIGTERM: is not ready but answers, then cuts its subscriptions and waits for nothing else', async () => {
    const {
      url,
      process: child,
      exit,
      output,
    } = await start({
      UPSTREAM_URL: sample.url,
      UPSTREAM_API_KEY: 'sample-paid',
      DRAIN_SECONDS: '5',
      ...league,
    })
    const port = Number(new URL(url).port)
    const idle = connect(port, '127.0.0.1') // as browsers open in advance
    const half = connect(port, '127.0.0.1').on('error', () => {})
    half.write('POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n')
    half.write('content-length: 100\r\n\r\n{"query":')
    const query = encodeURIComponent(`subscription Live { scores(date: "${today}") { gameId } }`)
    const response = await fetch(`${url}/graphql?query=${query}`, {
      headers: { accept: 'text/event-stream' },
    })
    const reader = response.body?.getReader()
    let text = ''
    const read = async () => {
      const { value, done } = (await reader?.read()) ?? { done: true }
      text += Buffer.from(value ?? []).toString()
      return !done
    }
    while (!text.includes('event: next')) await read()
    const asked = performance.now()
    child.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(503)
    expect(await ask(url, '{ organizations { name } }')).toMatchObject({ data: { organizations: [{}, {}] } })
    await expect(readAll(read)).rejects.toThrow('terminated')
    expect(performance.now() - asked).toBeGreaterThan(4_990)
    expect(text).not.toContain('complete')
    expect(await exit).toBe(0)
    expect(performance.now() - asked).toBeLessThan(14_000)
    expect(output()).toMatch(/"operation":"Live","events":\d+,.*"tokens":\d+/)
    for (const socket of [idle, half]) socket.destroy()
  })

  test('starts though the service is not there, and says so to who asks', async () => {
    const gone = createServer()
    const address = await listening(gone)
    await new Promise((resolve) => gone.close(resolve))
    const { url, output } = await start({
      UPSTREAM_URL: `${address}/v1`,
      UPSTREAM_API_KEY: 'hush-hush',
      LOG_LEVEL: 'debug',
    })
    expect((await fetch(`${url}/health`)).status).toBe(200)
    const answer = await ask(url, '{ organizations { name } }')
    expect(answer).toMatchObject({
      data: { organizations: null },
      errors: [{ path: ['organizations'], extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
    })
    expect(JSON.stringify(answer)).not.toContain(new URL(address).host)
    expect(output()).not.toContain('hush-hush')
  })

  test('says in one line that a port is taken', async () => {
    const other = createServer()
    const { port } = new URL(await listening(other))
    const { exit, output } = run({ UPSTREAM_URL: sample.url, PORT: port })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([expect.stringContaining(port)])
    expect(output()).toMatch(/taken/)
    other.close()
  })

  test('serves metrics and usage at ADMIN_PORT alone, which drains and closes with the other port', async () => {
    const settings = { UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'sample-paid', DRAIN_SECONDS: '1' }
    const own = { DATA_DIR: join(folder, 'admin'), ADMIN_PORT: '0' }
    const { url, process: child, exit, output } = await start({ ...settings, ...own })
    const [, admin = ''] = /Metrics and usage are served at (\S+)/.exec(output()) ?? []
    await ask(url, '{ organizations { name } }', { 'graphql-client-name': 'web' })
    expect(await (await fetch(`${admin}/metrics`)).text()).toContain(
      'statline_client_tokens_total{client="web"',
    )
    expect(await (await fetch(`${admin}/usage?by=client`)).json()).toMatchObject([
      { client: 'web', tokens: 1 },
    ])
    for (const path of ['/metrics', '/usage']) expect((await fetch(url + path)).status).toBe(404)
    const ready = async (base: string) => {
      const response = await fetch(`${base}/ready`)
      return [response.status, ((await response.json()) as Json)['status']] // as it is written
    }
    expect([await ready(url), await ready(admin)]).toEqual([
      [200, 'ready'],
      [200, 'ready'],
    ])
    child.kill('SIGTERM')
    await expect.poll(() => ready(admin)).toEqual([503, 'unready'])
    expect(await ready(url)).toEqual([503, 'unready'])
    expect(await exit).toBe(0)
    // For statline price.
    expect(readSizes(join(own.DATA_DIR, SIZES_FILE))).toMatchObject({ learnedAt: expect.any(String) })
  })

  test('says in one line that ADMIN_PORT is taken, and leaves the other port', async () => {
    const other = createServer()
    const { port } = new URL(await listening(other))
    const { exit, output } = run({ UPSTREAM_URL: sample.url, ADMIN_PORT: port })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`:${port}, which HOST and ADMIN_PORT name: the port is taken`)),
    ])
    other.close()
  })

  test.each(['PORT', 'ADMIN_PORT', 'SERVICE_PORT'])(
    'ends if %s is taken, also while it connects to a Redis that never answers',
    async (name) => {
      const other = createServer()
      const silent = createSocketServer((socket) => socket.on('error', () => {}).resume())
      const { port } = new URL(await listening(other))
      const redis = new URL(await listening(silent))
      const { exit, output } = run({
        ...(name !== 'SERVICE_PORT' && { UPSTREAM_URL: sample.url }),
        REDIS_URL: `redis://${redis.host}`,
        [name]: port,
      })
      expect(await exit).toBe(1)
      expect(output()).toMatch(new RegExp(`^.*${port}.* taken.*\\n$`))
      other.close()
      silent.close()
    },
  )

  test('records a tape, and replays it without the service, at the same bill and nothing spent', async () => {
    const tape = join(folder, 'page.tape')
    const page = `{ league { games(date: "${today}") { status homeTeam { name } } } }`
    const recorder = await start({
      UPSTREAM_URL: sample.url,
      UPSTREAM_API_KEY: 'sample-paid',
      UPSTREAM_TAPE: `record:${tape}`,
      DATA_DIR: join(folder, 'recorder'),
      ...league,
    })
    const recorded = await ask(recorder.url, page)
    expect(recorded).toMatchObject({ extensions: { usage: { calls: 1 } } })
    recorder.process.kill('SIGTERM')
    expect(await recorder.exit).toBe(0)

    const data = join(folder, 'replayer')
    const replayer = await start({ UPSTREAM_TAPE: `replay:${tape}`, DATA_DIR: data })
    expect(await ask(replayer.url, page)).toEqual(recorded)
    expect(await ask(replayer.url, '{ organizations { name } }')).toMatchObject({
      data: { organizations: null },
      errors: [
        {
          message: expect.stringMatching(
            /^The tape has no answer to organization\/read .*Record it again\.$/,
          ),
        },
      ],
    })
    expect(await (await fetch(`${replayer.url}/ready`)).json()).toMatchObject({ status: 'ready' })
    expect(existsSync(join(data, 'ledger.sqlite'))).toBe(false)
  })

  test('replays what a server recorded that knew its service, and touches neither its files, budgets nor Redis', async () => {
    const [tape, data] = [join(folder, 'known.tape'), join(folder, 'known')]
    const page = `{ league { games(date: "${today}") { homeTeam { name elo { elo } } } } }`
    mkdirSync(data)
    const known = new Capabilities(Date.now, { 'several values': { found: 'one value', at: Date.now() - 1 } })
    writeCapabilities(capabilitiesFile(data), sample.url, known)
    const settings = { ...league, DATA_DIR: data }
    const service = { UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'sample-paid' }
    const teach = await start({ ...settings, ...service })
    await ask(teach.url, '{ organizations { name } }')
    teach.process.kill('SIGTERM')
    expect(await teach.exit).toBe(0)
    const recorder = await start({ ...settings, ...service, UPSTREAM_TAPE: `record:${tape}` })
    const recorded = await ask(recorder.url, page)
    expect(recorded).toMatchObject({ extensions: { usage: { calls: 15 } } })
    recorder.process.kill('SIGTERM')
    expect(await recorder.exit).toBe(0)
    const [first = ''] = readFileSync(tape, 'utf8').split('\n')
    expect(JSON.parse(first)).toMatchObject({
      beginning: { findings: known.findings, sizes: { prices: {} } },
    })
    expect(first).not.toMatch(/sample-paid|http/)

    const budgets = join(folder, 'replay-budgets.json')
    writeFileSync(budgets, '{ "*": 1 }')
    const files = ['capabilities.json', 'ledger.sqlite', SIZES_FILE].map((name) => join(data, name))
    const before = files.map((file) => readFileSync(file))
    const replayer = await start({
      ...settings,
      UPSTREAM_TAPE: `replay:${tape}`,
      MONTHLY_TOKEN_BUDGET: '3',
      CLIENT_BUDGETS: budgets,
      REDIS_URL: 'redis://127.0.0.1:1',
    })
    expect(await ask(replayer.url, page)).toEqual(recorded)
    const limited = await fetch(`${replayer.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ organizations { name } }', extensions: { maxTokens: 0 } }),
    })
    expect(await limited.json()).toMatchObject({ errors: [{ extensions: { code: 'QUERY_TOO_EXPENSIVE' } }] })
    expect(await (await fetch(`${replayer.url}/ready`)).json()).toMatchObject({ status: 'ready' })
    replayer.process.kill('SIGTERM')
    expect(await replayer.exit).toBe(0)
    expect(files.map((file) => readFileSync(file))).toEqual(before)
    expect(replayer.output().match(/.*redis.*/gi)).toEqual([
      'REDIS_URL is not used, because UPSTREAM_TAPE replays a tape.',
    ])
  })

  test.skipIf(!hasRedis)(`shares its ledger but no rows while it records a tape${withoutRedis}`, async () => {
    const redis = await startRedis()
    const settings = { UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'sample-paid', REDIS_URL: redis.url }
    const own = { DATA_DIR: join(folder, 'records'), UPSTREAM_TAPE: `record:${join(folder, 'redis.tape')}` }
    const { output } = await start({ ...settings, ...own })
    await expect
      .poll(output)
      .toContain(
        'Redis is connected. This instance shares its ledger and budgets, but no rows, because it records a tape.',
      )
    await redis.stop()
  })

  test('says in one line that a tape cannot be read', async () => {
    const { exit, output } = run({ UPSTREAM_TAPE: `replay:${join(folder, 'nothing.tape')}` })
    expect(await exit).toBe(1)
    expect(output().trim()).toMatch(/^UPSTREAM_TAPE names .*nothing\.tape", which cannot be read\.$/)
  })

  test('goes on with a ledger in memory where DATA_DIR cannot be written, warns once and says so in /ready', async () => {
    const { url, output } = await start({
      UPSTREAM_URL: sample.url,
      UPSTREAM_API_KEY: 'sample-paid',
      DATA_DIR: '/dev/null/nothing',
    })
    expect(await ask(url, '{ organizations { name } }')).toMatchObject({
      extensions: { usage: { tokens: 1 } },
    })
    expect(await ask(url, '{ usage { tokens } }')).toMatchObject({ data: { usage: { tokens: 1 } } })
    expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({
      status: 'degraded',
      parts: { ledger: { status: 'degraded', reason: expect.stringContaining('in memory alone') } },
    })
    expect(output().match(/ledger in DATA_DIR .* cannot be written/g)).toHaveLength(1)
    expect(output().match(/rows in DATA_DIR .* cannot be written/g)).toHaveLength(1)
  })

  test('pays for nothing after a restart, though other columns of the rows are asked for', async () => {
    const own = { UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'sample-paid', DATA_DIR: join(folder, 'rows') }
    const first = await start(own)
    const asked = await ask(first.url, '{ organizations { name } }')
    expect(asked).toHaveProperty('extensions.usage.tokens', 1)
    first.process.kill('SIGTERM')
    expect(await first.exit).toBe(0)
    const next = await start(own)
    const again = await ask(next.url, '{ organizations { organizationId name inactive } }')
    expect(again).toHaveProperty('extensions.usage.calls', 0)
    expect(again).toHaveProperty('data.organizations.length', 2)
  })

  test('warns that another process uses DATA_DIR, and both have every bill in one ledger, once', async () => {
    const own = join(folder, 'shared')
    const settings = { UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'sample-paid', DATA_DIR: own }
    const before = await sample.billed('sample-paid')
    const first = await start(settings)
    const second = await start(settings)
    expect(first.output()).not.toContain('Another process')
    expect(second.output().match(/Another process uses DATA_DIR/g)).toHaveLength(1)
    const days = ['2026-02-10', '2026-02-11', '2026-02-12', '2026-02-13', '2026-02-14']
    const asked = days.flatMap((day) =>
      [first, second].map(({ url }) =>
        ask(
          url,
          `{ league(organizationId: "${league.DEFAULT_ORGANIZATION_ID}", divisionId: "${league.DEFAULT_DIVISION_ID}") { games(date: "${day}") { status } } }`,
        ),
      ),
    )
    const answers = (await Promise.all(asked)) as { extensions?: { usage?: { tokens: number } } }[]
    const told = answers.reduce((sum, { extensions }) => sum + (extensions?.usage?.tokens ?? 0), 0)
    const booked = readLedger(own, '2000-01-01', '2100-01-01')
    expect(told).toBe((await sample.billed('sample-paid')) - before)
    expect(booked.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(told)
    expect(booked.reduce((sum, { estimated }) => sum + estimated, 0)).toBe(0)
    const counts = async ({ url }: typeof first) =>
      ((await ask(url, '{ usage { tokens } }')) as { data: { usage: { tokens: number } } }).data.usage.tokens
    for (const one of [first, second]) await expect.poll(() => counts(one), { timeout: 30_000 }).toBe(told)
    first.process.kill('SIGKILL')
    await expect.poll(second.output, { timeout: 30_000 }).toContain('used by this process alone now')
  })

  test('replaces a damaged file of rows by an empty one, with one warning', async () => {
    const own = join(folder, 'damaged')
    mkdirSync(own)
    writeFileSync(join(own, 'answers.sqlite'), 'no database '.repeat(1_000))
    const { url, output } = await start({
      UPSTREAM_URL: sample.url,
      UPSTREAM_API_KEY: 'sample-paid',
      DATA_DIR: own,
    })
    expect(await ask(url, '{ organizations { name } }')).toHaveProperty('extensions.usage.tokens', 1)
    expect(output().match(/file of bought rows in DATA_DIR was damaged/g)).toHaveLength(1)
  })

  test.skipIf(!hasRedis)(`pays for nothing that another instance has bought${withoutRedis}`, async () => {
    const redis = await startRedis()
    const own = (name: string) => ({
      UPSTREAM_URL: sample.url,
      UPSTREAM_API_KEY: 'sample-paid',
      REDIS_URL: redis.url,
      DATA_DIR: join(folder, name),
    })
    const instances = [await start(own('one')), await start(own('other'))]
    const statusOfRedis = async (url: string) =>
      ((await (await fetch(`${url}/ready`)).json()) as { parts: { redis: { status: string } } }).parts.redis
        .status
    const timesAlone = () =>
      instances.flatMap(({ output }) => output().match(/This instance works alone/g) ?? []).length
    const tokensOf = async (query: string) => {
      const tokens: unknown[] = []
      for (const { url } of instances) {
        await expect.poll(() => statusOfRedis(url)).toBe('ok')
        const answer = await ask(url, query)
        tokens.push((answer as { extensions?: { usage?: { tokens?: number } } }).extensions?.usage?.tokens)
        // What was bought has been written when nothing is reserved any more.
        await expect.poll(() => redis.send('KEYS', '*:lease:*')).toEqual([])
      }
      return tokens
    }
    // On a busy machine Redis may take more than 50 ms. Then an instance rightly buys by itself.
    let tokens: unknown
    let isShared = false
    for (const list of [
      'divisions',
      'organizations',
      'divisions(active: false)',
      'organizations(active: false)',
    ]) {
      const before = timesAlone()
      tokens = await tokensOf(`{ ${list} { name } }`)
      isShared = timesAlone() === before
      if (isShared) break
    }
    expect([isShared, tokens]).toEqual([true, [1, 0]])
    await redis.stop()
    const ready = async () => (await fetch(`${instances[0]?.url}/ready`)).json()
    await vi.waitFor(
      async () =>
        expect(await ready()).toMatchObject({
          status: 'degraded',
          parts: { redis: { status: 'degraded', reason: expect.stringMatching(/^Redis is not connected/) } },
        }),
      30_000,
    )
    // On a busy machine it may have been too slow before it was gone.
    expect(instances[0]?.output()).toMatch(
      /Redis (is not connected( \([A-Z]+\))?|did not answer within 50 ms)\. This instance works alone until Redis is back\./,
    )
    const late = await start({ ...own('late'), REDIS_URL: redis.url.replace('//', '//user:hidden@') })
    expect(late.output().match(/This instance works alone until Redis is back/g)).toHaveLength(1)
    expect(late.output()).not.toContain('hidden')
    expect(await ask(late.url, '{ divisions { name } }')).toHaveProperty('extensions.usage.tokens', 1)
  })

  test.each([
    ['HOST', '999.999.999.999'],
    ['DATA_DIR', '/dev/null'],
  ])('says in one line that what %s names cannot be had', async (name, value) => {
    const { exit, output } = run({ [name]: value, SERVICE_PORT: '0' })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([expect.stringContaining(name)])
  })

  test.each([
    ['CLIENT_BUDGETS', '/nowhere/budgets.json'],
    ['TRUSTED_DOCUMENTS', '/nowhere/documents.json'],
    ['UPSTREAM_TAPE', 'replay:/nowhere/page.tape'],
  ])('ends before anything is started if the file of %s is missing', async (name, value) => {
    const { exit, output } = run({ [name]: value, SERVICE_PORT: '0', DATA_DIR: join(folder, 'no-file') })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([expect.stringMatching(`^${name} names .*cannot be read`)])
    expect(existsSync(join(folder, 'no-file'))).toBe(false)
  })

  test('says in one line that a command does not exist', async () => {
    const { exit, output } = run({}, [...program, 'serve'])
    expect(await exit).toBe(1)
    expect(output()).toBe('There is no command serve: leave it out, or write service.\n')
  })

  test('ends with its embedded service if a later part cannot start', async () => {
    const own = { SERVICE_PORT: '0', DATA_DIR: join(folder, 'no-tape') }
    const { exit, output } = run({ ...own, UPSTREAM_TAPE: 'record:/nowhere/page.tape' })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([
      'The sample league is being created. That takes some seconds.',
      expect.stringMatching(/^The statistics service listens on /),
      expect.stringMatching(/^UPSTREAM_TAPE names .*cannot be written/),
    ])
  }, 60_000)

  test('ends at once at a second signal, whichever it is', async () => {
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => (arrived = resolve))
    const silent = createServer(() => arrived())
    const {
      url,
      process: child,
      exit,
    } = await start({
      UPSTREAM_URL: `${await listening(silent)}/v1`,
      UPSTREAM_API_KEY: 'any',
    })
    const answer = ask(url, '{ organizations { name } }').catch(() => 'none')
    await arrival
    child.kill('SIGTERM')
    await expect.poll(() => fetch(`${url}/health`).catch(() => 'closing')).toBe('closing')
    await new Promise((resolve) => setTimeout(resolve, 1_100)) // sooner it would be npm’s echo of the first
    const asked = performance.now()
    child.kill('SIGINT')
    expect(await exit).toBe(1)
    expect(await answer).toBe('none')
    expect(performance.now() - asked).toBeLessThan(5_000)
    silent.closeAllConnections()
    silent.close()
  })

  test('says which variable is unknown, and starts', async () => {
    const { url, output } = await start({ UPSTREAM_URL: sample.url, MONTHLY_TOKEN_BUDGT: '100' })
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    expect(output()).toMatch(/^The variable MONTHLY_TOKEN_BUDGT is unknown.*MONTHLY_TOKEN_BUDGET/)
  })

  test('refuses hosts that are not listed, of metrics too, but answers probes', async () => {
    const { url } = await start({ UPSTREAM_URL: sample.url, ALLOWED_HOSTS: 'stats.example.com' })
    const { port } = new URL(url)
    const status = (path: string, host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        }).once('error', reject)
      })
    for (const path of ['/metrics', '/', '/graphql?query={__typename}']) {
      expect(await status(path, 'evil.example')).toBe(403)
      expect(await status(path, 'stats.example.com')).toBe(200)
    }
    expect(await status('/ready', 'evil.example')).toBe(200)
  })

  test('says in one line which variable has a bad value', async () => {
    const { exit, output } = run({ MONTHLY_TOKEN_BUDGET: 'a lot' })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([expect.stringContaining('MONTHLY_TOKEN_BUDGET')])
  })
})

describe('subscriptions of the shipped client', () => {
  const soon = <T>(what: () => T) => expect.poll(what, { timeout: 30_000 })
  const variables = { date: today }

  test.each(['SIGTERM', 'SIGKILL'] as const)('come back after a restart by %s', async (signal) => {
    const settings = { UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'sample-paid', ...league }
    const before = await start(settings)
    const url = `${before.url}/graphql`
    const games = (await sample.rows('game/getGames', { ...basketball, start_date: today })).length
    const live = new Client({ url }).live(LiveScoresDocument, variables)
    const failures: string[] = []
    const leave = live.subscribe(() => {
      const { failure } = live.getSnapshot()
      if (failure) failures.push(failure.name)
    })
    const told: boolean[] = []
    let isCompleted = false
    const apollo = new ApolloClient({ link: new LiveLink({ url }), cache: new InMemoryCache(cacheOptions) })
    const subscription = apollo.subscribe({ query: LiveScoresDocument, variables }).subscribe({
      next: ({ error }) => void told.push(error === undefined),
      complete: () => (isCompleted = true),
    })
    await soon(() => [live.getSnapshot().data.length, told.length]).toEqual([games, games])

    before.process.kill(signal)
    expect(await before.exit).toBe(signal === 'SIGTERM' ? 0 : null)
    await soon(() => [failures.length > 0, told.includes(false)]).toEqual([true, true])
    expect(live.getSnapshot().data).toHaveLength(games)

    await start({ ...settings, PORT: new URL(url).port })
    await soon(() => told.filter(Boolean).length).toBe(2 * games)
    await soon(() => live.getSnapshot().failure).toBeNull()
    expect([new Set(failures), isCompleted]).toEqual([new Set(['UnreachableError']), false])
    leave()
    subscription.unsubscribe()
  })
})
