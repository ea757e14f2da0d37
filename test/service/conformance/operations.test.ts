import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tables } from '../../../src/specification/tables.ts'
import { within } from '../client.ts'
import type { Json } from '../client.ts'
import { expectShape, without } from './shapes.ts'
import { leagueOf, openTarget, rowsOf } from './target.ts'
import type { League, Target } from './target.ts'

/** The keys of an object of an answer that may be null. */
const keysOf = (value: unknown) => (value === null ? null : Object.keys(value as object)) // an answer's value is an object or null

const numbersOf = (rows: readonly Json[], column: string) => rows.map((row) => Number(row[column]))

const isRanked = (row: Json) =>
  Object.keys(row).some((column) => column.endsWith('_rank') && typeof row[column] === 'number')

const teamsOf = (list: readonly Json[]) => new Set(list.map((row) => row['team_id']))

const descending = (numbers: readonly number[]) => numbers.toSorted((one, other) => other - one)

/** The statistic classes, and the column that says whose a row is. */
const statisticClasses = [
  ['statistic_ranking', 'team_id'],
  ['player_statistic_ranking', 'player_id'],
  ['coach_statistic_ranking', 'coach_id'],
  ['conference_statistic_ranking', 'conference_id'],
  ['league_statistic_ranking', null],
  ['conference_player_statistic_ranking', 'conference_id'],
  ['league_player_statistic_ranking', null],
] as const

describe('operations', () => {
  let target: Target
  let league: League
  let player: Json

  beforeAll(async () => {
    target = await openTarget()
    const found = await leagueOf(target.paid, 'basketball')
    if (!found) throw new Error('The service needs a basketball league with boxscores.')
    league = found
    player = (
      await target.paid.get('player_boxscore/get', { game_id: league.game['game_id'], team_id: league.home })
    ).body
  })
  afterAll(() => target.stop())

  const answer = async (operation: string, given: object = {}): Promise<Json> =>
    (await target.paid.get(operation, { ...given })).body
  const rows = (operation: string, given: object = {}) => rowsOf(target.paid.get(operation, { ...given }))
  const groups = async (given: object) => {
    const { teams, players, coaches } = await answer('search/search', { ...league.place, ...given })
    return { teams, players, coaches } as Record<string, Json[] | null> // the three groups of a search
  }

  test('search matches part of a team’s name, code or alternative name', async () => {
    const team = await answer('team/get', { team_id: league.home })
    for (const column of ['name', 'code', 'alt_name']) {
      const { teams } = await groups({ name: String(team[column]).slice(0, -1), team: 1 })
      expect(teams?.length).toBeGreaterThan(0)
      for (const found of teams ?? [])
        expect(`${found['name']}\n${found['code']}\n${found['alt_name']}`.toLowerCase()).toContain(
          String(team[column]).slice(0, -1).toLowerCase(),
        )
      expect(Object.keys(teams?.[0] ?? {})).toEqual([
        'team_id',
        'char6',
        'code',
        'name',
        'alt_name',
        'primary_color',
      ])
    }
  })

  test('search matches a player’s first or last name, and two words in either order', async () => {
    const [first, last] = [String(player['first_name']), String(player['last_name'])]
    for (const name of [`${first} ${last}`, `${last} ${first}`]) {
      const { players } = await groups({ name, player: 1 })
      expect(players?.map((found) => found['player_id'])).toContain(player['player_id'])
    }
    const { players } = await groups({ name: last.slice(1), player: 1 })
    for (const found of players ?? [])
      expect(`${found['first_name']}\n${found['last_name']}`.toLowerCase()).toContain(
        last.slice(1).toLowerCase(),
      )
    expect(Object.keys(players?.[0] ?? {}).toSorted()).toEqual(
      ['player_id', 'first_name', 'last_name', 'begin', 'end', 'relevance_score'].toSorted(),
    )
  })

  test('search matches a coach’s first or last name, and two words in either order', async () => {
    const [coach] = (await groups({ name: 'a', coach: 1 })).coaches ?? []
    const [first, last] = [String(coach?.['first_name']), String(coach?.['last_name'])]
    for (const name of [first, last, `${first} ${last}`, `${last} ${first}`]) {
      const { coaches } = await groups({ name, coach: 1 })
      expect([name, coaches?.length]).not.toEqual([name, 0])
      for (const found of coaches ?? [])
        for (const word of name.split(' '))
          expect(`${found['first_name']} ${found['last_name']}`.toLowerCase()).toContain(word.toLowerCase())
    }
    expect(Number(coach?.['begin'])).toBeLessThanOrEqual(Number(coach?.['end']))
  })

  test('players come by relevance, an exact last name first, then by the most recent season', async () => {
    const last = String(player['last_name'])
    const players = (await groups({ name: last, player: 1 })).players ?? []
    const scores = numbersOf(players, 'relevance_score')
    expect(scores.every(Number.isInteger)).toBe(true)
    expect(scores).toEqual(descending(scores))
    expect(String(players[0]?.['last_name'])).toBe(last)
    for (const score of new Set(scores)) {
      const ends = numbersOf(
        players.filter((found) => found['relevance_score'] === score),
        'end',
      )
      expect(ends).toEqual(descending(ends))
    }
  })

  test('begin and end are the first and the last season of a player', async () => {
    const { players } = await groups({ name: `${player['first_name']} ${player['last_name']}`, player: 1 })
    const found = players?.find((one) => one['player_id'] === player['player_id'])
    const seasons = numbersOf(await rows('player/getSeasons', { player_id: player['player_id'] }), 'season')
    expect([found?.['begin'], found?.['end']]).toEqual([Math.min(...seasons), Math.max(...seasons)])
  })

  test('search is of the organization and division given', async () => {
    const football = await leagueOf(target.paid, 'football')
    const elsewhere = {
      ...football?.place,
      name: `${player['first_name']} ${player['last_name']}`,
      player: 1,
    }
    const { players } = await answer('search/search', elsewhere)
    expect((players as Json[]).map((found) => found['player_id'])).not.toContain(player['player_id']) // a group of a search
  })

  test('without flags all three groups are searched; a flag searches its group alone and the others are null', async () => {
    const all = await groups({ name: 'a' })
    for (const group of Object.values(all)) expect(Array.isArray(group)).toBe(true)
    const coaches = await groups({ name: 'a', coach: 1 })
    expect(coaches).toMatchObject({ teams: null, players: null })
    expect(Object.keys(coaches['coaches']?.[0] ?? {}).toSorted()).toEqual(
      ['coach_id', 'first_name', 'last_name', 'begin', 'end'].toSorted(),
    )
  })

  test('a group holds at most six', async () => {
    const all = await groups({ name: 'a' })
    for (const group of Object.values(all)) expect(group?.length).toBeLessThanOrEqual(6)
    expect(all['players']).toHaveLength(6)
  })

  test.each([
    'game',
    'team',
    'player',
    'coach',
    'odds',
    'boxscore',
    'player_boxscore',
    'elo',
    'conference',
    'cbb_transfer_player_season',
  ])('%s has get and read, which answer the same row', async (table) => {
    const row = await answer(`${table}/get`)
    const id = String(row[`${table}_id`])
    expect(await answer(`${table}/read`, { [`${table}_id`]: id })).toEqual({ [id]: row })
    expect(await answer(`${table}/get`, { [`${table}_id`]: id })).toEqual(row)
  })

  test('organizations and divisions are read by inactive, keyed by id', async () => {
    for (const table of ['organization', 'division'] as const)
      for (const inactive of [0, 1]) {
        const body = await answer(`${table}/read`, { inactive })
        for (const id of Object.keys(body)) expect(body[id]).toMatchObject({ [`${table}_id`]: id, inactive })
      }
    expect(Object.keys(await answer('organization/read', { inactive: 0 })).length).toBeGreaterThan(0)
  })

  test('getGames answers a day’s games by id, each with its two teams by id', async () => {
    const body = await answer('game/getGames', { ...league.place, start_date: league.day })
    expect(Object.keys(body)).toContain(league.game['game_id'])
    for (const id of Object.keys(body)) {
      const game = within(body, id)
      expectShape(game, tables.game)
      expect(game).toMatchObject({ game_id: id, ...league.place, start_date: `${league.day}T00:00:00.000Z` })
      expect(keysOf(game['teams'])?.toSorted()).toEqual(
        [String(game['away_team_id']), String(game['home_team_id'])].toSorted(),
      )
    }
  })

  test('getScores answers a day’s scores with a prediction and odds, and no game, team or further odds', async () => {
    const body = await answer('game/getScores', { ...league.place, start_date: league.day })
    expect(Object.keys(body).toSorted()).toEqual(
      Object.keys(await answer('game/getGames', { ...league.place, start_date: league.day })).toSorted(),
    )
    for (const id of Object.keys(body)) {
      const score = within(body, id)
      expect(Object.keys(score).toSorted()).toEqual(
        [
          'game_id',
          'away_score',
          'home_score',
          'clock',
          'current_period',
          'status',
          'prediction',
          'odds',
        ].toSorted(),
      )
      expect(keysOf(score['odds'])).toEqual(['pre', 'live'])
      if (score['prediction'] !== null) expectShape(within(score, 'prediction'), tables.prediction)
      for (const line of Object.values(within(score, 'odds')))
        if (line !== null) expectShape(line as Json, tables.odds) // an odds row
    }
  })

  test('getScores answers a season of a home or of an away team', async () => {
    for (const side of ['home_team_id', 'away_team_id'] as const) {
      const given = { season: league.season, [side]: league.home }
      const scores = Object.keys(await answer('game/getScores', { ...league.place, ...given }))
      expect(scores.toSorted()).toEqual(
        Object.keys(await answer('game/read', { ...league.place, ...given })).toSorted(),
      )
      expect(scores.length).toBeGreaterThan(0)
    }
  })

  test('game/read answers one or several ids, without teams', async () => {
    const ids = Object.keys(await answer('game/getGames', { ...league.place, start_date: league.day })).slice(
      0,
      2,
    )
    const body = await answer('game/read', { game_id: ids })
    expect(Object.keys(body).toSorted()).toEqual(ids.toSorted())
    for (const id of ids) expect(within(body, id)).not.toHaveProperty('teams')
  })

  test('team/getStats answers the current row of the season', async () => {
    const row = await answer('team/getStats', {
      ...league.place,
      team_id: league.home,
      season: league.season,
    })
    expect(row).toMatchObject({ team_id: league.home, season: league.season, current: 1 })
  })

  test('team/getPlayers answers the roster by player', async () => {
    const given = {
      organization_id: league.place.organization_id,
      team_id: league.home,
      season: league.season,
    }
    expect(Object.keys(await answer('team/getPlayers', given))).toContain(player['player_id'])
  })

  test('team/read and player/read answer one or several ids, and leave out what is not there', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000'
    const teams = await answer('team/read', { team_id: [league.home, nobody, league.away] })
    expect(Object.keys(teams).toSorted()).toEqual([league.home, league.away].toSorted())
    const players = await answer('player/read', { player_id: player['player_id'] })
    expectShape(within(players, String(player['player_id'])), tables.player)
  })

  test('player/getGameLogs answers a season’s boxscores by id, each with its game and teams without conferences', async () => {
    const body = await answer('player/getGameLogs', {
      ...league.place,
      player_id: player['player_id'],
      season: league.season,
    })
    expect(Object.keys(body)).toContain(player['player_boxscore_id'])
    for (const id of Object.keys(body)) {
      const log = within(body, id)
      expect(log).toMatchObject({
        player_boxscore_id: id,
        player_id: player['player_id'],
        season: league.season,
      })
      expectShape(within(log, 'game'), tables.game)
      for (const team of Object.values(within(log, 'game', 'teams'))) {
        expectShape(team as Json, without(tables.team, 'conference_id')) // a team is an object
        expect(team).not.toHaveProperty('conference_id')
      }
    }
  })

  test('player/getSeasons answers one row for each season', async () => {
    const seasons = await rows('player/getSeasons', { player_id: player['player_id'] })
    for (const season of seasons) expectShape(season, tables.player_team_season)
    expect(new Set(numbersOf(seasons, 'season')).size).toBe(seasons.length)
    expect(numbersOf(seasons, 'season')).toContain(league.season)
  })

  test('boxscore/getBoxscore answers one side of a game', async () => {
    const { organization_id } = league.place
    const row = await answer('boxscore/getBoxscore', {
      organization_id,
      game_id: league.game['game_id'],
      team_id: league.away,
    })
    expect(row).toMatchObject({
      team_id: league.away,
      game_id: league.game['game_id'],
      points: league.game['away_score'],
    })
  })

  test('readBoxscore narrows: a game gives both teams, a team one side, a season the team’s whole season', async () => {
    const { organization_id } = league.place
    const read = (given: object) => rows('boxscore/readBoxscore', { organization_id, ...given })
    const game_id = league.game['game_id']
    expect((await read({ game_id })).map((row) => row['team_id']).toSorted()).toEqual(
      [league.home, league.away].toSorted(),
    )
    expect((await read({ game_id, team_id: league.home })).map((row) => row['team_id'])).toEqual([
      league.home,
    ])
    const season = await read({ team_id: league.home, season: league.season })
    expect(season.length).toBeGreaterThan(1)
    for (const row of season) expect(row).toMatchObject({ team_id: league.home, season: league.season })
  })

  test('getPlayerBoxscore goes by its id, or by organization, game and player', async () => {
    const { organization_id } = league.place
    const byId = await answer('player_boxscore/getPlayerBoxscore', {
      player_boxscore_id: player['player_boxscore_id'],
    })
    const given = { organization_id, game_id: player['game_id'], player_id: player['player_id'] }
    expect(await answer('player_boxscore/getPlayerBoxscore', given)).toEqual(byId)
    expect(byId['player_boxscore_id']).toBe(player['player_boxscore_id'])
  })

  test('elo/read without a team answers every team’s; season and current=1 one row for each team', async () => {
    const all = await rows('elo/read', { ...league.place, season: league.season })
    const current = await rows('elo/read', { ...league.place, season: league.season, current: 1 })
    expect(teamsOf(current)).toEqual(teamsOf(all))
    expect(current).toHaveLength(teamsOf(all).size)
    expect(all.length).toBeGreaterThan(current.length)
  })

  test('odds/read by game answers every row of it, current and past', async () => {
    const lines = await rows('odds/read', { game_id: league.game['game_id'] })
    expect(new Set(lines.map((line) => line['current']))).toEqual(new Set([0, 1]))
    const [one] = lines
    expect(await answer('odds/read', { odds_id: one?.['odds_id'] })).toEqual({
      [String(one?.['odds_id'])]: one,
    })
  })

  test('getConferencePrediction answers a row for each team of the conference, wins and losses adding up to its schedule', async () => {
    const games = await answer('game/getGames', { ...league.place, start_date: league.day })
    const { conference_id } = within(games, String(league.game['game_id']), 'teams', league.home)
    const given = { organization_id: league.place.organization_id, conference_id, season: league.season }
    const body = await answer('conference/getConferencePrediction', given)
    for (const id of Object.keys(body)) {
      const row = within(body, id)
      const { team_id } = row
      expect(row).toMatchObject({ statistic_ranking_id: id, hasAccess: true })
      const now = await answer('team/getStats', { ...league.place, team_id, season: league.season })
      expect(Number(row['wins']) + Number(row['losses'])).toBeGreaterThanOrEqual(
        Number(now['wins']) + Number(now['losses']),
      )
      expect(Number(row['confwins'])).toBeGreaterThanOrEqual(Number(now['confwins']))
      expect(Object.keys(row).filter((column) => column !== 'hasAccess')).toEqual(Object.keys(now))
    }
    expect(Object.keys(body).length).toBeGreaterThan(1)
  })

  test('cbb_transfer_player_season/read answers a season’s transfers, or one player’s', async () => {
    const { season } = await answer('cbb_transfer_player_season/get')
    const all = await rows('cbb_transfer_player_season/read', { season })
    expect(all.length).toBeGreaterThan(0)
    for (const row of all) expectShape(row, tables.cbb_transfer_player_season)
    const { player_id } = all[0] ?? {}
    for (const row of await rows('cbb_transfer_player_season/read', { season, player_id }))
      expect(row['player_id']).toBe(player_id)
  })

  test.each(statisticClasses)(
    '%s/getStats answers one flat row, current or of a day',
    async (name, subject) => {
      const scope = { ...league.place, season: league.season }
      const any = await answer(`${name}/getStats`, { ...scope, current: 1 })
      expectShape(any, tables[name])
      expect(Object.values(any).filter((value) => typeof value === 'object' && value !== null)).toEqual([])
      const whose = subject === null ? {} : { [subject]: any[subject] }
      expect(await answer(`${name}/getStats`, { ...scope, ...whose, current: 1 })).toEqual(any)
      const day = await answer(`${name}/getStats`, { ...scope, ...whose, date_of_rank: any['date_of_rank'] })
      expect(day).toMatchObject({ ...whose, date_of_rank: any['date_of_rank'] })
      const earlier = await answer(`${name}/getStats`, { ...scope, date_of_rank: league.day })
      expect(earlier).toMatchObject({ date_of_rank: `${league.day}T00:00:00.000Z` })
      expect(Number(earlier['games'])).toBeLessThanOrEqual(Number(any['games']))
    },
  )

  test.each(statisticClasses)(
    '%s/getStats with current=1 and no season answers the latest row',
    async (name, subject) => {
      const { organization_id } = league.place
      const any = await answer(`${name}/getStats`, { organization_id, season: league.season, current: 1 })
      const whose = { organization_id, ...(subject === null ? {} : { [subject]: any[subject] }) }
      const every = await rows(`${name}/read`, { ...whose, current: 1 })
      const ofSeasons = every.filter((row) => row['career'] !== 1)
      const days = ofSeasons.map((row) => String(row['date_of_rank'])).toSorted()
      expect(await answer(`${name}/getStats`, { ...whose, current: 1 })).toMatchObject({
        date_of_rank: days.at(-1),
      })
    },
  )

  test('career=1 answers a career in place of a season, career_active=1 of players still active', async () => {
    const scope = { organization_id: league.place.organization_id, player_id: player['player_id'] }
    const season = await answer('player_statistic_ranking/getStats', {
      ...scope,
      season: league.season,
      current: 1,
    })
    const career = await answer('player_statistic_ranking/getStats', { ...scope, career: 1 })
    expect([season['career'], career['career']]).toEqual([0, 1])
    expect(Number(career['games'])).toBeGreaterThanOrEqual(Number(season['games']))
    const active = await answer('player_statistic_ranking/getStats', {
      organization_id: scope.organization_id,
      career: 1,
      career_active: 1,
    })
    expect(active).toMatchObject({ career: 1, career_active: 1 })
  })

  test.each(['team', 'player', 'coach', 'conference'])(
    'ranking/download answers a division’s %s leaderboard with ranks',
    async (type) => {
      const board = await rows('ranking/download', { ...league.place, season: league.season, type })
      expect(board.length).toBeGreaterThan(1)
      // A team's row says nothing of its league (specification §2).
      const place = type === 'team' ? {} : league.place
      for (const row of board) expect(row).toMatchObject({ ...place, season: league.season })
      for (const row of type === 'team' ? board : [])
        for (const id of ['organization_id', 'division_id']) expect(row).not.toHaveProperty(id)
      expect(board.some(isRanked)).toBe(true)
    },
  )

  test('ranking/download answers a season’s transfers', async () => {
    const { season } = await answer('cbb_transfer_player_season/get')
    const moves = await answer('ranking/download', { ...league.place, season, type: 'transfer' })
    expect(Object.keys(moves).length).toBeGreaterThan(0)
    for (const move of Object.values(moves)) expectShape(move as Json, tables.cbb_transfer_player_season) // a row
  })
})
