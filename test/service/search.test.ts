import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnBoth } from './databases.ts'
import { put } from './league.ts'
import { runLeague } from './running.ts'
import type { Running } from './running.ts'
import type { Client } from './client.ts'
import { codeOf } from './client.ts'
import { id, league } from './league.ts'

interface Found {
  teams: { team_id: string; name: string }[] | null
  players:
    | { player_id: string; relevance_score: number; begin: number; end: number; last_name: string }[]
    | null
  coaches: { coach_id: string; begin: number; end: number }[] | null
}

describeOnBoth('search', (provide) => {
  let running: Running
  let client: Client
  const place = { organization_id: league.organization_id, division_id: league.division_id }

  const search = async (name: string, given: object = {}) =>
    (await client.get('search/search', { ...place, name, ...given })).body as unknown as Found // the answer of search/search
  const players = async (name: string) => (await search(name)).players?.map((player) => player.player_id)
  const teams = async (name: string) => (await search(name)).teams?.map((team) => team.name)

  beforeAll(async () => {
    running = await runLeague(await provide())
    client = running.as('paid')
  })
  afterAll(() => running.stop())

  test('teams match on part of their name, code or alternative name', async () => {
    expect(await teams('lion')).toEqual(['Lions'])
    expect(await teams('TIG')).toEqual(['Tigers'])
    expect(await teams('mountain')).toEqual(['Tigers'])
    expect(await teams('rio gr')).toEqual(['Bears'])
  })

  test('a pattern of SQL is only a name', async () => {
    expect(await teams('100%')).toEqual(['Wolves'])
    expect(await teams('%')).toEqual(['Wolves'])
    expect(await teams('_')).toEqual([])
    expect(await players("' or 1=1 --")).toEqual([])
    expect(await players('\\')).toEqual([])
  })

  test('players match on part of the first or the last name', async () => {
    expect(await players('mith')).toEqual(
      ['Smith Johnson', 'John Smith', 'Sam Smithson', 'Old Smith'].map(id),
    )
  })

  test('an exact last name comes first, then the more recent season', async () => {
    const found = (await search('smith')).players ?? []
    expect(found.map((player) => player.player_id)).toEqual(
      ['John Smith', 'Old Smith', 'Smith Johnson', 'Sam Smithson'].map(id),
    )
    const scores = found.map((player) => player.relevance_score)
    expect(scores[0]).toBe(scores[1])
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(scores.every(Number.isInteger)).toBe(true)
  })

  test('a two-word name is first plus last, in either order, accents or not', async () => {
    expect(await players('john smith')).toEqual([id('John Smith'), id('Smith Johnson')])
    expect(await players('sam smithson')).toEqual([id('Sam Smithson')])
    expect(await players('Smith John')).toEqual([id('John Smith'), id('Smith Johnson')])
    expect(await players('jose van dyke')).toEqual([id('José Van Dyke')])
    expect(await players('van dyke')).toEqual([id('José Van Dyke')])
  })

  test('begin and end are the first and the last season', async () => {
    expect((await search('john smith')).players?.[0]).toMatchObject({ begin: 2025, end: 2026 })
    expect((await search('smith', { coach: 1 })).coaches).toEqual([
      { coach_id: id('Coach Smith'), first_name: 'Coach', last_name: 'Smith', begin: 2025, end: 2026 },
    ])
  })

  test('people who never played in the division are not found', async () => {
    expect(await players('elsewhere')).toEqual([])
    expect(await teams('outsiders')).toEqual([])
    expect((await search('smith', { division_id: id('old division') })).players).toEqual([])
  })

  test('a group passed as 1 is searched alone, and the others are null', async () => {
    expect(await search('smith', { player: 1 })).toMatchObject({ teams: null, coaches: null })
    expect(await search('smith', { coach: 1 })).toMatchObject({ teams: null, players: null, coaches: [{}] })
    const all = await search('lions')
    expect([all.players, all.coaches]).toEqual([[], []])
  })

  test('of several groups passed as 1 only the first of team, player and coach is searched', async () => {
    expect(await search('smith', { coach: 1, player: 1 })).toMatchObject({ teams: null, coaches: null })
    expect((await search('smith', { coach: 1, player: 1 })).players).not.toEqual([])
    expect(await search('lion', { player: 1, team: 1 })).toMatchObject({ teams: [{}], players: null })
  })

  test('a group holds six at most', async () => {
    const many = Array.from({ length: 9 }, (_, nth) => `Zed${nth} Zulu`)
    await put(
      running.database,
      'player',
      many.map((name) => ({ player_id: id(name), first_name: name.slice(0, 4), last_name: 'Zulu' })),
    )
    await put(
      running.database,
      'player_team_season',
      many.map((name) => ({
        player_team_season_id: id(`${name} 2026`),
        player_id: id(name),
        team_id: id('Lions'),
        season: 2026,
      })),
    )
    expect(await players('zulu')).toHaveLength(6)
  })

  test('a name is found by any part of it, however long it is, in any script', async () => {
    const name = 'Wolfeschlegelsteinhausenbergerdorff'
    const [far, plane] = [id('far'), id('plane')]
    await put(running.database, 'player', [
      { player_id: far, first_name: 'Hu', last_name: name },
      { player_id: plane, first_name: 'Yu', last_name: '𠮷野家' },
    ])
    await put(
      running.database,
      'player_team_season',
      [far, plane].map((player_id) => ({
        player_team_season_id: id(`${player_id} 2026`),
        player_id,
        team_id: id('Lions'),
        season: 2026,
      })),
    )
    for (const part of ['wolf', 'schlegelstein', 'dorff', name, 'hu wolfeschlegelsteinhausen', 'berger hu'])
      expect([part, await players(part)]).toEqual([part, [far]])
    expect(await players(`${name}s`)).toEqual([])
    for (const part of ['𠮷野家', '野家', '𠮷']) expect([part, await players(part)]).toEqual([part, [plane]])
  })

  test('a name is needed', async () => {
    expect(codeOf(await client.get('search/search', place))).toBe('missing_argument')
    expect(codeOf(await client.get('search/search', { ...place, name: ' ' }))).toBe('invalid_argument')
    expect(codeOf(await client.get('search/search', { ...place, name: 'x'.repeat(101) }))).toBe(
      'invalid_argument',
    )
  })
})
