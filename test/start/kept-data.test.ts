import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { readLedger } from '../../src/money/files/read-ledger.ts'
import { hasRedis, startRedis, withoutRedis } from '../store/redis/redis-server.ts'
import { patientProgram } from '../started.ts'
import { ask, league, startPrograms } from './programs.ts'
import { patience } from '../patience.ts'

const { folder, sample, start } = await startPrograms()

describe('what the program has bought and booked', () => {
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
    for (const one of [first, second]) await expect.poll(() => counts(one)).toBe(told)
    first.process.kill('SIGKILL')
    await expect.poll(second.output).toContain('used by this process alone now')
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
    const instances = [await start(own('one'), patientProgram), await start(own('other'), patientProgram)]
    const statusOfRedis = async (url: string) =>
      ((await (await fetch(`${url}/ready`)).json()) as { parts: { redis: { status: string } } }).parts.redis
        .status
    const tokens: unknown[] = []
    for (const { url } of instances) {
      await expect.poll(() => statusOfRedis(url)).toBe('ok')
      tokens.push((await ask(url, '{ divisions { name } }'))['extensions'])
      // What was bought has been written when nothing is reserved any more.
      await expect.poll(() => redis.send('KEYS', '*:lease:*')).toEqual([])
    }
    expect(tokens).toMatchObject([{ usage: { tokens: 1 } }, { usage: { tokens: 0 } }])
    await redis.stop()
    const ready = async () => (await fetch(`${instances[0]?.url}/ready`)).json()
    await vi.waitFor(
      async () =>
        expect(await ready()).toMatchObject({
          status: 'degraded',
          parts: { redis: { status: 'degraded', reason: expect.stringMatching(/^Redis is not connected/) } },
        }),
      patience,
    )
    expect(instances[0]?.output()).toMatch(
      /Redis is not connected( \([A-Z]+\))?\. This instance works alone until Redis is back\./,
    )
    const late = await start({ ...own('late'), REDIS_URL: redis.url.replace('//', '//user:hidden@') })
    expect(late.output().match(/This instance works alone until Redis is back/g)).toHaveLength(1)
    expect(late.output()).not.toContain('hidden')
    expect(await ask(late.url, '{ divisions { name } }')).toHaveProperty('extensions.usage.tokens', 1)
  })
})
