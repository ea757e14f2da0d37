import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Engine, missing } from './engine.ts'
import { patience } from '../../patience.ts'

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

const manifest = readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8')

const today = new Date().toISOString().slice(0, 10)
// Nothing that expires within seconds while a game is played.
const question = JSON.stringify({
  query: `{ league { games(date: "${today}") { homeTeam { name } } } }`,
  extensions: { explain: true },
})

const game = { homeTeam: { name: expect.any(String) } }
const data = { league: { games: expect.arrayContaining([game]) } }
const plan = [{ operation: 'game/getGames', source: 'UPSTREAM' }]

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => null,
  )

const isReady = (url: string) =>
  vi.waitFor(async () => expect(await statusOf(`${url}/ready`)).toBe(200), {
    timeout: patience,
    interval: 200,
  })

/** Sends the head of a request. The body follows later. */
async function begin(url: string): Promise<() => Promise<unknown>> {
  const headers = { 'content-type': 'application/json', expect: '100-continue' }
  const request = httpRequest(`${url}/graphql`, { method: 'POST', headers })
  request.flushHeaders()
  await once(request, 'continue')
  return async () => {
    request.end(question)
    const [response] = (await once(request, 'response')) as [IncomingMessage] // what the event brings
    return json(response)
  }
}

const ask = async (url: string) => (await begin(url))()

describe.skipIf(missing)(`the container${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let engine: Engine
  let url: string

  const inspect = (name: string, format: string) => engine.podman('inspect', name, `--format=${format}`)
  const exec = (...command: string[]) => engine.podman('exec', 'first', ...command)
  const databases = (name: string) =>
    engine.podman('exec', name, 'find', '/data', '-name', '*.sqlite', '-printf', '%p %i\n')

  beforeAll(async () => {
    engine = new Engine()
    await engine.build()
    url = await engine.start('first')
    await isReady(url)
  })
  afterAll(() => engine.close())

  it('says what it is', async () => {
    const { description, license } = JSON.parse(manifest) as Record<string, string> // these two are
    expect(JSON.parse(await inspect('statline', '{{ json .Labels }}'))).toMatchObject({
      'org.opencontainers.image.title': 'Statline',
      'org.opencontainers.image.description': description,
      'org.opencontainers.image.licenses': license,
    })
  })

  it('holds what runs and nothing else', async () => {
    expect((await exec('ls', '-A')).split('\n')).toEqual([
      'bin',
      'dist',
      'node_modules',
      'package.json',
      'public',
    ])
    const { packages } = JSON.parse(await exec('cat', 'node_modules/.package-lock.json')) as Lockfile // as npm writes it
    const installed = Object.values(packages)
    expect(installed.length).toBeGreaterThan(50)
    expect(installed.filter(({ dev }) => dev)).toEqual([])
  })

  it('adds less than 64 MiB to Node.js', async () => {
    const size = async (image: string) => Number(await inspect(image, '{{ .Size }}'))
    expect((await size('statline')) - (await size('node:24-slim'))).toBeLessThan(64 * 2 ** 20)
  })

  it('keeps nothing of who built it', async () => {
    const names = ['.npmrc', '.npm', '.env', '.git', 'certificates'].flatMap((name) => ['-o', '-name', name])
    const find = ['find', '/app', '/root', '/usr/local/etc', '-false', ...names]
    expect(await engine.podman('exec', '--user=root', 'first', ...find)).toBe('')
  })

  it('runs Node.js 24 as its first process, as a user without rights', async () => {
    expect(await exec('node', '--version')).toMatch(/^v24\./)
    expect((await exec('cat', '/proc/1/cmdline')).split('\0')).toEqual(['node', 'dist/main.js', ''])
    expect(await exec('id', '--user', '--name')).toBe('node')
    expect(await exec('grep', 'CapBnd', '/proc/1/status')).toMatch(/\t0+$/)
    await expect(exec('touch', 'here')).rejects.toThrow('Read-only file system')
  })

  it('answers from outside: the probe, the scoreboard, and a query by the one call that it needs', async () => {
    expect(await statusOf(`${url}/health`)).toBe(200)
    const page = await fetch(url)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>')])
    expect(await ask(url)).toMatchObject({ data, extensions: { usage: { calls: 1 }, plan } })
  })

  it('tells who spent what', async () => {
    const bill = await exec('node', 'bin/statline.js', 'bill', '--by', 'service')
    expect(bill).toMatch(/^game\/getGames +\d+ +100 % +1 /m)
  })

  it('is healthy where it answers, and only there', async () => {
    expect(await engine.podman('healthcheck', 'run', 'first')).toBe('')
    const [, ...check] = JSON.parse(await inspect('statline', '{{ json .HealthCheck.Test }}')) as string[] // CMD and a command
    await expect(engine.podman('exec', '--env=PORT=4009', 'first', ...check)).rejects.toThrow()
  })

  it('answers what has begun when it is stopped, exits with 0, and starts again with what it has bought', async () => {
    const before = await databases('first')
    expect(before).toContain('/data/keys.sqlite')
    await ask(url)
    const finish = await begin(url)
    const stopped = engine.podman('stop', '--time=30', 'first')
    // While it drains it says so, and still answers.
    await expect.poll(() => statusOf(`${url}/ready`), { interval: 20 }).toBe(503)
    expect(await finish()).toMatchObject({ data, extensions: { usage: { calls: 0 } } })
    await stopped
    expect(await inspect('first', '{{ .State.ExitCode }}')).toBe('0')

    const again = await engine.start('second')
    await isReady(again)
    expect(await databases('second')).toBe(before)
    expect(await ask(again)).toMatchObject({ data, extensions: { usage: { calls: 0 } } })
  })
})
