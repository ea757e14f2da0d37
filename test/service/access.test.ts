import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { addKey, addSampleKeys, revokeKey } from '../../src/service/keys/keys.ts'
import { monthOf, tokensFor } from '../../src/service/keys/meter.ts'
import { startService } from '../../src/service/service.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import { clientOf, codeOf } from './client.ts'
import { describeOnBoth } from './databases.ts'
import type { Provided } from './databases.ts'
import { id, league } from './league.ts'
import { runLeague } from './running.ts'
import type { Running } from './running.ts'

const { organization_id, division_id } = league
const place = { organization_id, division_id }
const opener = { game_id: id('opener') }
const JANUARY = Date.parse('2026-01-13T12:00:00.000Z')

describeOnBoth('keys, plans and metering', (provide) => {
  let provided: Provided
  let running: Running

  beforeAll(async () => {
    provided = await provide()
    running = await runLeague(provided)
  })
  afterAll(() => running.stop())

  const usage = (keyId: string, month = '2026-01') =>
    running.database.accounts
      .selectFrom('usage')
      .select(['tokens', 'bytes', 'calls'])
      .where('api_key_id', '=', keyId)
      .where('month', '=', month)
      .executeTakeFirst()

  const spend = (keyId: string, tokens: number) =>
    running.database.accounts
      .insertInto('usage')
      .values({ api_key_id: keyId, month: '2026-01', tokens, bytes: tokens * 1024, calls: 1 })
      .execute()

  test('a missing and a wrong key are refused at status 200, in both styles', async () => {
    for (const [client, code] of [
      [running.client(), 'missing_key'],
      [running.client('wrong'), 'invalid_key'],
    ] as const)
      for (const reply of [await client.get('organization/read'), await client.post('organization/read')])
        expect([reply.status, codeOf(reply), reply.usage]).toEqual([200, code, 0])
  })

  test('a revoked key is refused from then on', async () => {
    const { accounts } = running.database
    const added = await addKey(accounts, Date.now, 'paid')
    expect(codeOf(await running.client(added.key).get('organization/read'))).toBeUndefined()
    expect(await revokeKey(accounts, Date.now, added.id)).toBe(true)
    expect(codeOf(await running.client(added.key).get('organization/read'))).toBe('invalid_key')
    expect(await revokeKey(accounts, Date.now, added.id)).toBe(false)
  })

  test('a key that another process revokes gets no answer more, and another plan is noticed within a second', async () => {
    const { accounts } = running.database
    const other = await openDatabase(provided.location)
    const { id: keyId, key } = await addKey(accounts, Date.now, 'paid')
    const client = running.client(key)
    const changePlan = (plan: string) =>
      other.accounts.updateTable('api_key').set({ plan }).where('api_key_id', '=', keyId).execute()
    expect(codeOf(await client.get('game/read', opener))).toBeUndefined()
    await changePlan('trial')
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 1_100)
    onTestFinished(() => clock.mockRestore())
    expect(codeOf(await client.get('game/read', opener))).toBe('access_denied')
    expect(codeOf(await client.get('team/get'))).toBeUndefined()
    await revokeKey(other.accounts, Date.now, keyId)
    for (const operation of ['team/get', 'search/search'])
      expect(
        codeOf(await client.get(operation, operation === 'team/get' ? {} : { ...place, name: 'li' })),
      ).toBe('invalid_key')
    await other.close()
  })

  test('no key is kept, only its hash', async () => {
    const { key } = await addKey(running.database.accounts, Date.now, 'paid', 'hashed')
    const rows = await running.database.accounts.selectFrom('api_key').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(rows.find((row) => row.name === 'hashed')?.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('the keys of the sample league are not known over another', async () => {
    await addSampleKeys(running.database.accounts, Date.now)
    expect(codeOf(await running.client('sample-paid').get('organization/read'))).toBe('invalid_key')
  })

  test('bulk reads need read access, but for organizations and divisions', async () => {
    for (const plan of ['trial', 'lapsed', 'paid-without-read'] as const) {
      const client = running.as(plan)
      for (const operation of [
        'game/read',
        'team/read',
        'elo/read',
        'odds/read',
        'player_boxscore/read',
        'coach/read',
      ])
        expect([plan, operation, codeOf(await client.get(operation, { season: 2026 }))]).toEqual([
          plan,
          operation,
          'access_denied',
        ])
      expect(codeOf(await client.get('boxscore/readBoxscore', { organization_id }))).toBe('access_denied')
      expect(codeOf(await client.get('ranking/download', { ...place, season: 2026, type: 'team' }))).toBe(
        'access_denied',
      )
      expect(codeOf(await client.get('organization/read'))).toBeUndefined()
      expect(codeOf(await client.get('division/read'))).toBeUndefined()
    }
    expect(
      codeOf(await running.as('paid').get('boxscore/readBoxscore', { organization_id, ...opener })),
    ).toBeUndefined()
  })

  test('a trial has get, the joined functions and getBoxscore', async () => {
    const client = running.as('trial')
    const replies = [
      await client.get('game/get', opener),
      await client.get('game/getGames', { ...place, start_date: '2026-01-10' }),
      await client.get('game/getScores', { ...place, start_date: '2026-01-10' }),
      await client.get('boxscore/getBoxscore', { organization_id, ...opener, team_id: id('Lions') }),
      await client.get('team/getPlayers', { organization_id, team_id: id('Lions'), season: 2026 }),
      await client.get('search/search', { ...place, name: 'smith' }),
    ]
    expect(replies.map(codeOf)).toEqual(replies.map(() => undefined))
  })

  test('projections are simulated for an active subscription; others get the record as it is, hasAccess false', async () => {
    const given = { organization_id, conference_id: id('East'), season: 2026 }
    const rows = async (plan: 'trial' | 'lapsed' | 'paid' | 'paid-without-read') =>
      Object.values((await running.as(plan).get('conference/getConferencePrediction', given)).body)
    for (const plan of ['trial', 'lapsed'] as const)
      expect(await rows(plan)).toMatchObject([
        { hasAccess: false, wins: 0, losses: 1 },
        { hasAccess: false, wins: 1, losses: 1 },
      ])
    expect(await rows('paid-without-read')).toEqual(await rows('paid'))
    expect(await rows('paid')).toMatchObject([{ hasAccess: true }, { hasAccess: true }])
  })

  test('an answer costs a token for each started KiB of its body, and an error nothing', async () => {
    const { accounts } = running.database
    const { id: keyId, key } = await addKey(accounts, Date.now, 'paid')
    const replies = [
      await running.client(key).get('game/read', { season: 2026 }),
      await running.client(key).get('team/get', { char6: 'LIO' }),
      await running.client(key).get('team/get', { nothing: 'LIO' }),
    ]
    const sizes = replies.map((reply) => Buffer.byteLength(reply.text))
    expect(replies.map((reply) => reply.usage)).toEqual([Math.ceil(Number(sizes[0]) / 1024), 1, 0])
    expect(replies[0]?.usage).toBeGreaterThan(1)
    expect(await usage(keyId)).toEqual({
      tokens: Number(replies[0]?.usage) + 1,
      bytes: Number(sizes[0]) + Number(sizes[1]),
      calls: 2,
    })
    expect([tokensFor(1), tokensFor(1024), tokensFor(1025)]).toEqual([1, 1, 2])
  })

  test('a trial has 500 tokens in a calendar month, and a refused call costs nothing', async () => {
    const { id: keyId, key } = await addKey(running.database.accounts, Date.now, 'trial')
    const client = running.client(key)
    await spend(keyId, 498)
    expect((await client.get('team/get')).usage).toBe(1)
    const large = await client.get('game/getGames', {
      ...place,
      start_date: ['2026-01-10', '2026-01-12', '2026-01-20'],
    })
    expect([codeOf(large), large.usage]).toEqual(['quota_exceeded', 0])
    expect((await client.get('team/get')).usage).toBe(1)
    expect(codeOf(await client.get('team/get'))).toBe('quota_exceeded')
    expect(await usage(keyId)).toMatchObject({ tokens: 500 })
    running.setTime('2026-02-01T00:00:00.000Z')
    expect((await client.get('team/get')).usage).toBe(1)
    expect(await usage(keyId, '2026-02')).toMatchObject({ tokens: 1 })
    running.setTime(new Date(JANUARY).toISOString())
    expect(codeOf(await client.get('team/get'))).toBe('quota_exceeded')
  })

  test('two processes on one database cannot spend a token twice, nor lose one', async () => {
    const database = await openDatabase(provided.location)
    const second = await startService({ database, clock: () => JANUARY })
    const trial = await addKey(running.database.accounts, Date.now, 'trial')
    const paid = await addKey(running.database.accounts, Date.now, 'paid')
    await spend(trial.id, 480)
    const calls = Array.from({ length: 60 }, (_, nth) => [running.url, second.url][nth % 2] ?? '')
    const answers = await Promise.all(calls.map((url) => clientOf(url, trial.key).get('team/get')))
    await Promise.all(calls.map((url) => clientOf(url, paid.key).get('team/get')))
    await second.close()
    await database.close()
    expect(answers.filter((answer) => codeOf(answer) === undefined)).toHaveLength(20)
    expect(await usage(trial.id)).toMatchObject({ tokens: 500, calls: 21 })
    expect(await usage(paid.id)).toMatchObject({ tokens: 60, calls: 60 })
  })

  test('a charge is in the database when its answer arrives', async () => {
    const { id: keyId, key } = await addKey(running.database.accounts, Date.now, 'paid')
    const client = running.client(key)
    const seen = await Promise.all(
      Array.from({ length: 20 }, async () => {
        await client.get('team/get')
        return Number((await usage(keyId))?.calls)
      }),
    )
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(1)
    expect(await usage(keyId)).toMatchObject({ tokens: 20, calls: 20 })
  })

  test('a month is that of the clock, UTC', () => {
    expect(monthOf(Date.parse('2026-01-31T23:59:59.999Z'))).toBe('2026-01')
    expect(monthOf(Date.parse('2026-01-31T23:30:00.000-02:00'))).toBe('2026-02')
  })
})
