import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { basketball, football, footballSeason, season, startSample, today } from './harness.ts'
import type { Graph, GraphOptions, Sample } from './harness.ts'
import { roundTrips } from './recorder.ts'
import { unspecified } from './specified.ts'
import { judged } from './spoiled.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let graph: Graph
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())
afterEach(() => expect(unspecified(graph.calls.sent)).toEqual([]))

/** The answer of a query with an empty cache, and its calls. */
async function ask<Data>(text: string, options: GraphOptions = {}) {
  graph = sample.graph(options)
  return again<Data>(text)
}

async function again<Data>(text: string) {
  const { data, errors } = await graph.query<Data>(text)
  return { data, errors, calls: graph.calls.take(), trips: roundTrips(graph.calls.sent) }
}

const twoSeasons = ['elo/get 1', 'elo/get 1']

describe('the current season', () => {
  test.each([
    ['basketball', basketball, season],
    ['football', football, footballSeason],
  ])('%s: two tiny calls side by side, and none for a day', async (_sport, defaults, year) => {
    const first = await ask('{ league { currentSeason } }', { defaults })
    expect(first.data).toEqual({ league: { currentSeason: year } })
    expect(first.calls).toEqual(twoSeasons)
    expect(first.trips).toBe(1)
    expect(graph.calls.sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(1_024)
    expect((await again('{ league { currentSeason } }')).calls).toEqual([])
  })

  test('costs nothing where a row tells of a game in the last two weeks', async () => {
    await ask(`{ league { games(date: "2026-02-12") { startDatetime homeTeam { name } } } }`)
    const { data, calls } = await again('{ league { currentSeason } }')
    expect(data).toEqual({ league: { currentSeason: season } })
    expect(calls).toEqual([])
  })

  test('is not taken from rows of a season long ago', async () => {
    const clock = () => Date.parse('2026-11-20T12:00:00Z')
    await ask(`{ league { games(date: "2026-02-12") { startDatetime homeTeam { name } } } }`, { clock })
    const { data, calls } = await again('{ league { currentSeason } }')
    expect(data).toEqual({ league: { currentSeason: season } })
    expect(calls).toEqual(twoSeasons)
  })

  test('of a league whose last season is long over costs one more call', async () => {
    const clock = () => Date.parse('2031-01-20T12:00:00Z')
    const { data, calls } = await ask('{ league { currentSeason } }', { clock })
    expect(data).toEqual({ league: { currentSeason: season } })
    expect(calls).toEqual([...twoSeasons, 'league_statistic_ranking/getStats 1'])
    expect((await again('{ league { currentSeason } }')).calls).toEqual([])
  })

  test('is null where nothing was ever played', async () => {
    const nowhere = '00000000-0000-4000-8000-000000000000'
    const defaults = { organization_id: nowhere, division_id: nowhere }
    const { data, errors } = await ask('{ league { currentSeason elo { elo } } }', { defaults })
    expect(data).toEqual({ league: { currentSeason: null, elo: null } })
    expect(errors?.map(({ extensions, message }) => [extensions?.code, message])).toEqual([
      ['SCOPE_REQUIRED', 'Missing: season. Write the year, `season: 2026`, as an argument of this field.'],
    ])
  })
})

describe('all seasons', () => {
  test('newest first, at one tiny call for each and the years around them', async () => {
    const { data, calls } = await ask<{ league: { seasons: number[] } }>('{ league { seasons } }')
    const { seasons } = data.league
    expect(seasons[0]).toBe(season)
    expect(seasons).toEqual(seasons.toSorted((a, b) => b - a))
    const played = await sample.rows('elo/read', { ...basketball, current: 1 })
    expect(new Set(seasons)).toEqual(new Set(played.map((row) => Number(row['season']))))
    expect(new Set(calls)).toEqual(new Set(['elo/get 1']))
    expect(calls.length).toBeLessThanOrEqual(seasons.length + 8)
    expect((await again('{ league { seasons currentSeason } }')).calls).toEqual([])
  })
})

describe('without a season', () => {
  const teamOf = async () => {
    const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
    return String(game?.['home_team_id'])
  }

  test.each([
    ['stats { season }', 'team/getStats 1'],
    ['roster { playerId }', 'team/getPlayers 1'],
    ['elo { season }', 'elo/read 1'],
    ['boxscores { season }', 'boxscore/readBoxscore 1'],
  ])('a team’s %s is of the current one', async (field, call) => {
    const { errors, calls } = await ask<Json>(`{ league { team(id: "${await teamOf()}") { ${field} } } }`)
    expect(errors).toBeUndefined()
    expect(calls).toEqual([...twoSeasons, call].toSorted())
    expect(
      graph.calls.sent.find(({ operation }) => !operation.startsWith('elo/get'))?.arguments,
    ).toMatchObject({ season: expect.toSatisfy((value) => Number(value) === season) })
  })

  test('several fields share what the season cost', async () => {
    const { calls } = await ask(
      `{ league { elo { elo } averages { season } team(id: "${await teamOf()}") { games { status } stats { wins { value } } } } }`,
    )
    expect(calls).toEqual([
      ...twoSeasons,
      'elo/read 1',
      'game/read 1',
      'game/read 1',
      'league_statistic_ranking/getStats 1',
      'team/getStats 1',
    ])
  })

  test('what is reached from a game is still of the game’s season', async () => {
    const { calls } = await ask(`{ league { games(date: "${today}") { homeTeam { elo { season } } } } }`)
    expect(calls.filter((call) => call.startsWith('elo/get'))).toEqual([])
  })
})

describe('a league by its code', () => {
  const find = (code: string) =>
    `{ league(code: "${code}") { organization { organizationId } division { divisionId } } }`
  const found = ({ organization_id, division_id }: typeof basketball) => ({
    league: { organization: { organizationId: organization_id }, division: { divisionId: division_id } },
  })
  const lists = ['division/read 1', 'organization/read 1']

  test('the default league costs the two lists, once a day', async () => {
    const { data, calls } = await ask(find('cbb'))
    expect(data).toEqual(found(basketball))
    expect(calls).toEqual(lists)
    expect((await again(find('CBB/D1'))).calls).toEqual([])
  })

  test('another league costs a tiny call for each division that it could be', async () => {
    const { data, calls } = await ask(find('CFB'))
    expect(data).toEqual(found(football))
    expect(calls).toEqual([...lists, ...twoSeasons].toSorted())
  })

  test('works without any default league', async () => {
    const { data } = await ask(find('CFB/D1'), { defaults: {} })
    expect(data).toEqual(found(football))
  })

  test('an unknown code names the known ones', async () => {
    const { errors } = await ask(find('XYZ'))
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('Known: '),
      extensions: { code: 'BAD_USER_INPUT' },
    })
    expect(errors?.[0]?.message).toContain('CBB')
  })

  test.each([
    ['XYZ', 'No league has the code "XYZ". Known: CFB, CBB.', lists],
    ['CFB/XYZ', 'No league has the code "CFB/XYZ". Known: CFB/D1.', lists],
  ])('%s, which no league has, is told with those that are known', async (code, message, bill) => {
    const { errors, calls } = await ask(find(code))
    expect(errors?.map((error) => error.message)).toEqual([message])
    expect(calls).toEqual(bill)
  })

  test('a code that several leagues have is told with their codes', async () => {
    const codes = ['D1', 'D2']
    graph = sample.graph({
      defaults: {},
      between: judged((body, operation) => {
        if (operation === 'elo/get') return { elo_id: '1', season }
        if (operation !== 'division/read') return body
        const rows = Object.entries(body).map(([key, row], nth) => [
          key,
          { ...Object(row), code: codes[nth] },
        ])
        return Object.fromEntries(rows)
      }),
    })
    const { errors, calls } = await again(find('CBB'))
    expect(errors?.map(({ message }) => message)).toEqual([
      'Several leagues have the code "CBB". Write one of CBB/D1, CBB/D2.',
    ])
    expect(calls).toEqual([...lists, ...twoSeasons].toSorted())
  })

  test('a code beside an id is refused at no cost', async () => {
    const { errors, calls } = await ask(
      `{ league(code: "CBB", divisionId: "${football.division_id}") { currentSeason } }`,
    )
    expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT')
    expect(calls).toEqual([])
  })
})
