import { existsSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import type { RequestOptions } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { textOf } from '../../src/client/document.ts'
import { LeaguesDocument } from '../../src/client/generated/graphql.ts'
import { readSizes, SIZES_FILE } from '../../src/account/sizes-file.ts'
import { today } from '../graph/harness.ts'
import type { Json } from '../service/client.ts'
import { program } from '../started.ts'
import { ask, league, listening, startPrograms } from './programs.ts'

const { folder, sample, start } = await startPrograms()

describe('the program', () => {
  test('answers queries over the service that it is pointed at, and ends with 0 at SIGTERM', async () => {
    const sizes = join(folder, SIZES_FILE)
    writeFileSync(sizes, '{"cut off')
    const {
      url,
      process: child,
      exit,
      output,
    } = await start({ UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'sample-paid', HOST: '0.0.0.0', ...league })
    expect(output()).toContain(
      `The file ${sizes} is damaged, or of another version. The sizes of answers are learned again.`,
    )
    expect(output()).toMatch(/^All clients use one key of the service, that of UPSTREAM_API_KEY\.$/m)
    expect(output()).toMatch(
      /^Anyone who reaches this server can spend any number of tokens with UPSTREAM_API_KEY: each query makes up to 1000/m,
    )
    expect((await fetch(`${url}/health`)).status).toBe(200)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    const answer = await ask(
      url,
      `{ league { games(date: "${today}") { homeTeam { name stats { points { rank } } } } } }`,
    )
    expect(answer.errors).toBeUndefined()
    expect(JSON.stringify(answer['data'])).toContain('"rank":1')
    expect(JSON.stringify(answer)).toMatch(/"usage":\{"tokens":[1-9]\d*,"bytes":[1-9]\d*,"calls":[1-9]/)
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    expect(readSizes(sizes)).toMatchObject({ learnedAt: expect.any(String) })
  })

  test('without a key of its own passes on its clients’', async () => {
    const { url, output } = await start({ UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: '', ...league })
    expect(output()).toMatch(/^Empty, which counts as not set: UPSTREAM_API_KEY\.$/m)
    expect(output()).toMatch(
      /^Each client brings its own key of the service in X-API-KEY, because UPSTREAM_API_KEY is not set\.$/m,
    )
    expect(output()).not.toContain('can spend any number of tokens')
    const query = `{ league { games(date: "${today}") { status } } }`
    expect((await ask(url, query)).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
    expect((await ask(url, query, { 'x-api-key': 'sample-trial' })).errors).toBeUndefined()
  })

  test('starts with TRUSTED_DOCUMENTS_ONLY alone: its scoreboard is answered, and nothing else', async () => {
    const { url } = await start({
      UPSTREAM_URL: sample.url,
      UPSTREAM_API_KEY: 'sample-paid',
      TRUSTED_DOCUMENTS_ONLY: '1',
      ...league,
    })
    const { errors, data } = await ask(url, textOf(LeaguesDocument))
    expect(errors).toBeUndefined()
    expect(JSON.stringify(data)).toContain('"divisionId"')
    expect((await ask(url, '{ usage { tokens } }')).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT' } },
    ])
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

  test('serves metrics and usage at ADMIN_PORT alone, which drains and closes with the other port', async () => {
    const settings = { UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'sample-paid', DRAIN_SECONDS: '5' }
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

  test.skipIf(!existsSync('/proc/self/limits'))(
    'with few files leaves some for calls, and says so once: at its start, near their end and at it',
    async () => {
      const few = ['sh', '-c', 'ulimit -n 512; exec "$@"', 'sh', ...program]
      const own = { DATA_DIR: join(folder, 'few'), UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'sample-paid' }
      const { url, output } = await start({ ...own, ...league }, few)
      const { port } = new URL(url)
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const first = await sent(`${url}/health`, { agent })
      expect(first).toBe('')
      let closed = 0
      const all = Array.from({ length: 512 }, () =>
        connect(Number(port), '127.0.0.1')
          .on('error', () => {})
          .once('close', () => (closed += 1)),
      )
      await expect.poll(() => output()).toContain('are closed as they come')
      await expect.poll(() => closed).toBeGreaterThan(50)
      const query = `{ league { games(date: "${today}") { status } } }`
      const answer = await sent(`${url}/graphql?query=${encodeURIComponent(query)}`, { agent })
      expect(answer).toMatch(/"status":".*"usage":\{"tokens":\d+,"bytes":\d+,"calls":1,/)
      for (const one of all) one.destroy()
      agent.destroy()
      await expect
        .poll(() =>
          fetch(`${url}/ready`).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(200)
      expect(output().match(/^.*ulimit -n.*$/gm)).toEqual([
        expect.stringMatching(/^This process may have 512 files open .* leaves \d+ connections for clients/),
        expect.stringMatching(/^More than nine tenths of the \d+ connections .* are open\.$/),
        expect.stringMatching(
          /^Connections are closed as they come, because the \d+ connections .* are open\.$/,
        ),
      ])
    },
  )
})

/** The text of an answer to GET. */
const sent = (url: string, options: RequestOptions) =>
  new Promise<string>((resolve, reject) => {
    get(url, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.once('end', () => resolve(text))
    }).once('error', reject)
  })
