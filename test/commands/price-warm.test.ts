import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textOf } from '../../src/client/document.ts'
import * as documents from '../../src/client/generated/graphql.ts'
import { price } from '../../src/commands/price.ts'
import { basketball, season, startSample, today } from '../graph/harness.ts'
import type { Between, Sample } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'

const folder = mkdtempSync(join(tmpdir(), 'price-warm-'))
const file = join(folder, 'page.graphql')

let sample: Sample
let ids: Record<'gameId' | 'teamId' | 'playerId' | 'conferenceId', string>

/** A game of today, its home team, and a player of that. */
beforeAll(async () => {
  sample = await startSample()
  const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const { game_id, home_team_id } = games.find(({ status }) => status === 'final') ?? {}
  const { organization_id } = basketball
  const [player] = await sample.rows('team/getPlayers', {
    organization_id,
    team_id: String(home_team_id),
    season,
  })
  const [conference] = await sample.rows('conference/read', basketball)
  ids = {
    gameId: String(game_id),
    teamId: String(home_team_id),
    playerId: String(player?.['player_id']),
    conferenceId: String(conference?.['conference_id']),
  }
})
afterAll(async () => {
  await sample.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The service, while the game is being played. */
const live: Between = async (request, service) => {
  const answer = await service(request)
  const body = JSON.stringify(JSON.parse(answer.body), (_, value) =>
    value?.game_id === ids.gameId && value.status === 'final'
      ? { ...value, status: 'in_progress', current_period: '2nd Half' }
      : value,
  )
  return { ...answer, body }
}

/** The price of a query, and its bills: with nothing kept, and a minute later. */
async function both(text: string) {
  writeFileSync(file, text)
  const [priced] = Object.values(
    JSON.parse((await price([file, '--json'], sampleNow)).text) as Record<
      string,
      { cold: number; warm: number }
    >,
  )
  let now = sampleNow
  const graph = sample.graph({ clock: () => now, between: live })
  const bill = async () => {
    const { errors, extensions } = await graph.query(text, { variables: { ...ids, season } })
    expect(errors).toBeUndefined()
    return extensions.usage.tokens
  }
  const cold = await bill()
  now += 62_000
  return { priced: priced ?? { cold: 0, warm: 0 }, billed: { cold, warm: await bill() } }
}

const team = (fields: string) => `query Team($teamId: ID!, $season: Int) { team(id: $teamId) { ${fields} } }`

describe('a minute later, a page with a team’s season costs little more than its game that is played now', () => {
  test.each([
    ['TeamSeason', textOf(documents.TeamSeasonDocument)],
    ['TeamRatings', textOf(documents.TeamRatingsDocument)],
    ['TeamSchedule', textOf(documents.TeamScheduleDocument)],
    ['GameForm', textOf(documents.GameFormDocument)],
    ['Player', textOf(documents.PlayerDocument)],
    ['lineRecord', team('lineRecord(season: $season) { all { wins } }')],
    ['games', team('games(season: $season) { homeScore homeTeam { name } }')],
  ])('%s', async (_, text) => {
    const { priced, billed } = await both(text)
    expect(billed.warm).toBeLessThan(billed.cold / 3)
    expect(priced.warm).toBeLessThan(priced.cold / 3)
    expect(Math.abs(priced.warm - billed.warm)).toBeLessThan(billed.cold / 6)
  })
})

test('games of a day are taken for live', async () => {
  const { priced } = await both(`query Day { league { games(date: "${today}") { homeScore } } }`)
  expect(priced.warm).toBeGreaterThan(priced.cold / 2)
})

test('a conference is of the league that it is reached in, so that its projection is bought once', async () => {
  const { priced, billed } = await both(textOf(documents.StandingsDocument))
  expect(priced.cold).toBeGreaterThan(0.8 * billed.cold)
  expect(priced.cold).toBeLessThan(1.25 * billed.cold)
})
