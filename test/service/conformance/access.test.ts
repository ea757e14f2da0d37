import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, codeOf } from '../client.ts'
import type { Json, Reply } from '../client.ts'
import { leagueOf, openTarget, rowsOf } from './target.ts'
import type { League, Target } from './target.ts'

/** A failed request: status 200, an error key, and nothing billed. */
const expectError = (reply: Reply) => {
  expect(reply.status).toBe(200)
  expect(reply.body).toHaveProperty('error')
  expect(reply.usage).toBe(0)
}

const withoutTrial = ' (skipped where no trial key is given)'
const hasTrial =
  process.env['CONFORMANCE_URL'] === undefined || process.env['CONFORMANCE_TRIAL_KEY'] !== undefined

describe('calls, keys and errors', () => {
  let target: Target
  let league: League

  beforeAll(async () => {
    target = await openTarget()
    const found = await leagueOf(target.paid, 'basketball')
    if (!found) throw new Error('The service needs a basketball league with boxscores.')
    league = found
  })
  afterAll(() => target.stop())

  /** The row of the trial's answers and of a lapsed key's, where there are such keys. */
  const unpaid = () => [target.trial, target.lapsed].filter((client) => client !== null)

  test('GET and POST are equivalent, for one value and for several', async () => {
    const calls = [
      ['organization/read', { inactive: 0 }],
      ['team/get', { team_id: league.home }],
      ['team/read', { team_id: [league.home, league.away] }],
      ['game/getGames', { ...league.place, start_date: league.day }],
      ['team/getStats', { ...league.place, team_id: league.home, season: league.season }],
    ] as const
    for (const [operation, given] of calls)
      expect((await target.paid.get(operation, given)).body).toEqual(
        (await target.paid.post(operation, given)).body,
      )
  })

  test('get answers the first matching row as one object, read every one by id', async () => {
    const row = (await target.paid.get('team/get', { team_id: league.home })).body
    expect(row['team_id']).toBe(league.home)
    expect((await target.paid.get('team/read', { team_id: league.home })).body).toEqual({
      [league.home]: row,
    })
  })

  test('the address carries the version /v1', () => {
    expect(new URL(target.url).pathname).toBe('/v1')
  })

  test('answers are JSON', async () => {
    const { headers } = await target.paid.get('organization/read')
    expect(String(headers['content-type'])).toMatch(/^application\/json/)
  })

  test('every request needs a key, in both styles', async () => {
    for (const client of [clientOf(target.url, undefined), clientOf(target.url, 'no such key')])
      for (const reply of [await client.get('organization/read'), await client.post('organization/read')])
        expectError(reply)
  })

  test('a successful answer has no error key', async () => {
    expect(codeOf(await target.paid.get('organization/read'))).toBeUndefined()
  })

  test('a failed request has status 200 and an error key', async () => {
    expectError(await target.paid.get('nothing/read'))
    expectError(await target.paid.get('game/nothing'))
    expectError(await target.paid.get('game/getGames', { ...league.place }))
    expectError(await target.paid.raw('not JSON'))
  })

  test('x-request-usage tells what an answer cost, by its size', async () => {
    const small = await target.paid.get('team/get', { team_id: league.home })
    const large = await target.paid.get('game/getGames', { ...league.place, start_date: league.day })
    expect(Number.isInteger(small.usage)).toBe(true)
    expect(small.usage).toBeGreaterThan(0)
    expect(large.usage).toBeGreaterThan(small.usage)
  })

  test.skipIf(!hasTrial)(
    `a key without a paid plan may not read in bulk, but for organizations and divisions${withoutTrial}`,
    async () => {
      for (const client of unpaid()) {
        for (const operation of ['team/read', 'game/read', 'player/read', 'elo/read', 'odds/read'])
          expectError(await client.get(operation, { season: league.season }))
        for (const operation of ['organization/read', 'division/read'])
          expect(codeOf(await client.get(operation, { inactive: 0 }))).toBeUndefined()
      }
    },
  )

  test.skipIf(!hasTrial)(`a key without a paid plan is denied readBoxscore${withoutTrial}`, async () => {
    for (const client of unpaid()) {
      const { organization_id } = league.place
      expectError(
        await client.get('boxscore/readBoxscore', { organization_id, game_id: league.game['game_id'] }),
      )
    }
  })

  test.skipIf(!hasTrial)(
    `without an active subscription a projection is the current record, hasAccess false${withoutTrial}`,
    async () => {
      const games = (await target.paid.get('game/getGames', { ...league.place, start_date: league.day })).body
      const game = games[String(league.game['game_id'])] as { teams: Record<string, Json> } // a game of getGames
      const given = {
        organization_id: league.place.organization_id,
        conference_id: game.teams[league.home]?.['conference_id'],
        season: league.season,
      }
      for (const client of unpaid())
        for (const row of await rowsOf(client.get('conference/getConferencePrediction', given))) {
          const now = await target.paid.get('team/getStats', {
            ...league.place,
            team_id: row['team_id'],
            season: league.season,
          })
          expect(row).toEqual({ ...now.body, hasAccess: false })
        }
      for (const row of await rowsOf(target.paid.get('conference/getConferencePrediction', given)))
        expect(row['hasAccess']).toBe(true)
    },
  )
})
