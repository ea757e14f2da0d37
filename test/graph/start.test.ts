import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { basketball, startSample, today } from './harness.ts'
import type { Sample } from './harness.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import type { Json } from '../service/client.ts'

const root = join(import.meta.dirname, '../..')

/** Values that each variable refuses; none where it takes any text. */
const bad: Readonly<Record<string, readonly string[]>> = {
  PORT: ['65536', '-1', 'http', '4000.5', '0x10'],
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
  UPSTREAM_MAX_BYTES: ['0', 'many'],
  MONTHLY_TOKEN_BUDGET: ['-1', '1e3', 'much'],
  DEFAULT_ORGANIZATION_ID: ['basketball', '42'],
  DEFAULT_DIVISION_ID: ['one', '42'],
  CORS_ORIGINS: [],
  LOG_LEVEL: ['loud'],
  TRUSTED_DOCUMENTS: [],
  TRUSTED_DOCUMENTS_ONLY: ['perhaps'],
  SERVICE_PORT: ['70000', 'x'],
  DATABASE_URL: ['mysql://host/db', 'nothing', 'postgres:host'],
  DATA_DIR: [],
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
  // The program as it is shipped. Whether it is without fault is another check's to say.
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: root }).catch(() => {})
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
  const env = { PATH, DATA_DIR: folder, PORT: '0', ...environment }
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
  for (let nth = 0; nth < 400; nth += 1) {
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

async function listening(server: Server): Promise<string> {
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

  test('completes its subscriptions at SIGTERM and waits for nothing else, with a line for each', async () => {
    const {
      url,
      process: child,
      exit,
      output,
    } = await start({ UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'sample-paid', ...league })
    const idle = connect(Number(new URL(url).port), '127.0.0.1') // as browsers open in advance
    const query = encodeURIComponent(`subscription Live { scores(date: "${today}") { gameId } }`)
    const response = await fetch(`${url}/graphql?query=${query}`, {
      headers: { accept: 'text/event-stream' },
    })
    const reader = response.body?.getReader()
    let text = ''
    while (!text.includes('event: next')) text += Buffer.from((await reader?.read())?.value ?? []).toString()
    const asked = performance.now()
    child.kill('SIGTERM')
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      text += Buffer.from(part.value).toString()
    expect(text).toContain('event: complete')
    expect(await exit).toBe(0)
    expect(performance.now() - asked).toBeLessThan(5_000)
    expect(output()).toMatch(/"operation":"Live","events":\d+,"tokens":\d+/)
    idle.destroy()
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

  test.each([
    ['HOST', '999.999.999.999'],
    ['DATA_DIR', '/dev/null'],
  ])('says in one line that what %s names cannot be had', async (name, value) => {
    const { exit, output } = run({ [name]: value, SERVICE_PORT: '0' })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([expect.stringContaining(name)])
  })

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

  test('says in one line which variable has a bad value', async () => {
    const { exit, output } = run({ MONTHLY_TOKEN_BUDGET: 'a lot' })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([expect.stringContaining('MONTHLY_TOKEN_BUDGET')])
  })
})
