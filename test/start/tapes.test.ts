import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { capabilitiesFile, writeCapabilities } from '../../src/capabilities/file.ts'
import { Capabilities } from '../../src/capabilities/capabilities.ts'
import { SIZES_FILE } from '../../src/account/sizes-file.ts'
import { today } from '../graph/harness.ts'
import { hasRedis, startRedis, withoutRedis } from '../store/redis/redis-server.ts'
import { ask, league, startPrograms } from './programs.ts'

const { folder, sample, start } = await startPrograms()

describe('a tape', () => {
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
})
