import { afterAll, beforeAll, expect, test } from 'vitest'
import { tables } from '../../src/specification/tables.ts'
import { describeOnBoth } from './databases.ts'
import { runLeague } from './running.ts'
import type { Running } from './running.ts'
import type { Client } from './client.ts'
import { codeOf, within } from './client.ts'
import { id, league, put } from './league.ts'

const { organization_id, division_id } = league
const place = { organization_id, division_id }

describeOnBoth('the operations', (provide) => {
  let running: Running
  let client: Client

  const idsOf = async (operation: string, given: object) =>
    Object.keys((await client.post(operation, { ...given })).body)
  const stats = async (name: string, given: object = {}) =>
    (await client.get(`${name}/getStats`, { ...place, season: 2026, current: 1, ...given })).body

  beforeAll(async () => {
    running = await runLeague(await provide())
    client = running.as('paid')
  })
  afterAll(() => running.stop())

  test('both call styles give the same answer', async () => {
    const given = { game_id: [id('opener'), id('later')], season: 2026 }
    const [got, posted] = [await client.get('game/read', given), await client.post('game/read', given)]
    expect(got.body).toEqual(posted.body)
    expect(Object.keys(got.body)).toEqual([id('opener'), id('later')])
  })

  test('read answers rows by id, with every column of the table and nothing besides', async () => {
    const { body } = await client.post('game/read', { game_id: id('opener') })
    expect(Object.keys(body)).toEqual([id('opener')])
    expect(Object.keys(within(body, id('opener')))).toEqual(Object.keys(tables.game))
    expect(within(body, id('opener'))).toMatchObject({
      start_date: '2026-01-10T00:00:00.000Z',
      start_timestamp: 1768071600,
      home_score: 80,
      neutral_site: 0,
      attendance: null,
      network: 'ESPN',
    })
  })

  test('an id that is not there is left out and the others are answered', async () => {
    const { body } = await client.post('team/read', { team_id: [id('Lions'), id('nobody'), id('Bears')] })
    expect(Object.keys(body).toSorted()).toEqual([id('Lions'), id('Bears')].toSorted())
  })

  test('every column filters, and different arguments narrow each other', async () => {
    expect(await idsOf('game/read', { network: 'ESPN' })).toEqual([id('opener')])
    expect(await idsOf('game/read', { start_date: '2026-01-12' })).toEqual([id('later')])
    expect(await idsOf('game/read', { home_score: [80, 54], away_score: 55 })).toEqual([id('later')])
    expect(await idsOf('game/read', { start_timestamp: 1768071600, deleted: 0, neutral_site: 1 })).toEqual([
      id('second'),
    ])
    expect(await idsOf('game/read', { updated_at: '2026-01-12T21:30:00.000Z' })).toEqual([id('later')])
    expect(await idsOf('game/read', { updated_at: '2026-01-12' })).toEqual([id('later')])
  })

  test('get answers the first matching row, and an empty object where none matches', async () => {
    expect((await client.get('team/get', { char6: 'BEA' })).body).toMatchObject({
      name: 'Bears',
      primary_color: '#112233',
    })
    expect((await client.get('team/get', { char6: 'NONE' })).body).toEqual({})
    expect((await client.post('team/read', { team_id: [] })).body).toEqual({})
  })

  test('organizations and divisions are read by their inactive flag', async () => {
    expect(Object.keys((await client.get('organization/read', { inactive: 0 })).body)).toEqual([
      organization_id,
    ])
    expect(Object.keys((await client.get('organization/read', { inactive: 1 })).body)).toEqual([
      id('curling'),
    ])
    expect(Object.keys((await client.get('organization/read')).body)).toHaveLength(2)
    expect((await client.get('division/get', { code: 'D0' })).body).toMatchObject({ inactive: 1 })
  })

  test('getGames answers a day with whole teams and their conference of that season', async () => {
    const { body } = await client.get('game/getGames', { ...place, start_date: '2026-01-10' })
    expect(Object.keys(body).toSorted()).toEqual([id('opener'), id('second')].toSorted())
    const teams = within(body, id('opener'), 'teams')
    expect(Object.keys(teams)).toEqual([id('Lions'), id('Tigers')])
    expect(teams[id('Lions')]).toMatchObject({ name: 'Lions', conference_id: id('East') })
    expect(Object.keys(within(teams, id('Lions')))).toEqual(Object.keys(tables.team))
  })

  test('getGames takes other columns as filters', async () => {
    const { body } = await client.get('game/getGames', {
      ...place,
      start_date: ['2026-01-10', '2026-01-12'],
      home_team_id: id('Bears'),
    })
    expect(Object.keys(body)).toEqual([id('later')])
  })

  test('getScores holds the score, the current prediction and the current lines', async () => {
    const { body } = await client.get('game/getScores', { ...place, start_date: '2026-01-10' })
    const opener = within(body, id('opener'))
    expect(Object.keys(opener)).toEqual([
      'game_id',
      'away_score',
      'home_score',
      'clock',
      'current_period',
      'status',
      'prediction',
      'odds',
    ])
    expect(opener).toMatchObject({
      away_score: 70,
      home_score: 80,
      clock: '0:00',
      current_period: 'Final',
      status: 'final',
    })
    expect(Object.keys(within(opener, 'prediction'))).toEqual(Object.keys(tables.prediction))
    expect(opener['prediction']).toMatchObject({ home_percentage: 0.62, home_score: 77, current: 1 })
    expect(Object.keys(within(opener, 'odds', 'pre'))).toEqual(Object.keys(tables.odds))
    expect(opener['odds']).toMatchObject({
      pre: { spread_home: -3.5, over: 145.5 },
      live: { spread_home: -8 },
    })
    expect(body[id('second')]).toMatchObject({
      prediction: null,
      odds: { pre: { spread_home: 1.5 }, live: null },
    })
  })

  test('getScores goes by a season with a home or an away team as well', async () => {
    const scores = async (given: object) =>
      Object.keys((await client.get('game/getScores', { ...place, ...given })).body)
    expect(await scores({ season: 2026, home_team_id: id('Tigers') })).toEqual([id('opener')])
    expect(await scores({ season: 2026, away_team_id: [id('Tigers'), id('Bears')] })).toEqual([
      id('second'),
      id('later'),
    ])
    expect(codeOf(await client.get('game/getScores', { ...place, season: 2026 }))).toBe('missing_argument')
    expect(codeOf(await client.get('game/getScores', { ...place, home_team_id: id('Tigers') }))).toBe(
      'missing_argument',
    )
  })

  test('game/getOdds answers the current lines of games by id or by day', async () => {
    const byId = await client.get('game/getOdds', { game_id: id('opener') })
    expect(byId.body).toMatchObject({
      [id('opener')]: { odds: { pre: { spread_home: -3.5 }, live: { spread_home: -8 } } },
    })
    const byDay = await client.get('game/getOdds', { ...place, start_date: '2026-01-10' })
    expect(Object.keys(byDay.body).toSorted()).toEqual([id('opener'), id('second')].toSorted())
  })

  test('odds/read by game answers every line of it, oldest first', async () => {
    const { body } = await client.get('odds/read', { game_id: id('opener') })
    expect(Object.keys(body)).toEqual([id('first line'), id('last line'), id('line in play')])
  })

  test('team/getStats answers the current row of the season, both parts in one', async () => {
    const { body } = await client.get('team/getStats', { ...place, team_id: id('Bears'), season: 2026 })
    expect(body).toMatchObject({
      team_id: id('Bears'),
      current: 1,
      date_of_rank: '2026-01-12T00:00:00.000Z',
      games: 2,
      points: 60,
      points_rank: 3,
    })
    expect(body).not.toHaveProperty('line')
  })

  test('team/getPlayers answers the roster of a season without the four columns', async () => {
    const { body } = await client.get('team/getPlayers', {
      organization_id,
      team_id: id('Lions'),
      season: 2026,
    })
    expect(Object.keys(body)).toEqual([id('John Smith'), id('Sam Smithson')])
    expect(Object.keys(within(body, id('John Smith')))).toEqual(Object.keys(tables.player).slice(0, 10))
    const elsewhere = await client.get('team/getPlayers', {
      organization_id: id('curling'),
      team_id: id('Lions'),
      season: 2026,
    })
    expect(elsewhere.body).toEqual({})
  })

  test('player/read carries the four columns that a roster leaves out', async () => {
    const { body } = await client.get('player/read', { player_id: id('John Smith') })
    expect(body[id('John Smith')]).toMatchObject({
      college: 'State',
      draft_year: null,
      draft_round: null,
      draft_number: null,
    })
  })

  test('player/getGameLogs nests each game with its teams, without their conferences', async () => {
    const { body } = await client.get('player/getGameLogs', {
      ...place,
      player_id: id('Smith Johnson'),
      season: 2026,
    })
    expect(Object.keys(body).toSorted()).toEqual(
      ['opener', 'later'].map((game) => id(`Smith Johnson in ${game}`)).toSorted(),
    )
    const log = within(body, id('Smith Johnson in opener'))
    expect(log).toMatchObject({ points: 80, game: { game_id: id('opener'), home_score: 80 } })
    expect(log['basketball_player_boxscore_id']).toBe(log['sport_player_boxscore_id'])
    expect(within(log, 'game', 'teams', id('Lions'))).toMatchObject({ name: 'Lions' })
    expect(within(log, 'game', 'teams', id('Lions'))).not.toHaveProperty('conference_id')
  })

  test('player/getSeasons answers one row for each season, in their order', async () => {
    const { body } = await client.get('player/getSeasons', { player_id: id('John Smith') })
    expect(Object.keys(body)).toEqual([id('John Smith 2025'), id('John Smith 2026')])
    expect(body[id('John Smith 2025')]).toMatchObject({ season: 2025, team_id: id('Lions') })
  })

  test('getBoxscore is one side of one game, null where the side has no value', async () => {
    const { body } = await client.get('boxscore/getBoxscore', {
      organization_id,
      game_id: id('opener'),
      team_id: id('Lions'),
    })
    expect(body).toMatchObject({ boxscore_id: id('Lions in opener'), points: 70, fouls: null, final: 1 })
    expect(body['basketball_boxscore_id']).toBe(body['sport_boxscore_id'])
  })

  test('readBoxscore narrows with every further argument', async () => {
    const read = async (given: object) =>
      Object.keys((await client.post('boxscore/readBoxscore', { organization_id, ...given })).body).toSorted()
    const [lions, tigers, later] = [id('Lions in opener'), id('Tigers in opener'), id('Tigers in later')]
    expect(await read({})).toEqual([lions, tigers, later].toSorted())
    expect(await read({ game_id: id('opener') })).toEqual([lions, tigers].toSorted())
    expect(await read({ game_id: id('opener'), team_id: id('Tigers') })).toEqual([tigers])
    expect(await read({ team_id: id('Tigers'), season: 2026 })).toEqual([tigers, later].toSorted())
    expect(codeOf(await client.post('boxscore/readBoxscore', { game_id: id('opener') }))).toBe(
      'missing_argument',
    )
  })

  test('getPlayerBoxscore goes by its id, or by organization, game and player', async () => {
    const given = { player_boxscore_id: id('John Smith in opener') }
    const byId = await client.get('player_boxscore/getPlayerBoxscore', given)
    const byGame = await client.get('player_boxscore/getPlayerBoxscore', {
      organization_id,
      game_id: id('opener'),
      player_id: id('John Smith'),
    })
    expect(byId.body).toEqual(byGame.body)
    expect(byId.body).toMatchObject({ first_name: 'John', points: 31, field_goal_percentage: 52.4 })
    const half = await client.get('player_boxscore/getPlayerBoxscore', {
      organization_id,
      game_id: id('opener'),
    })
    expect(codeOf(half)).toBe('missing_argument')
  })

  test('player_boxscore/read answers one side of a game', async () => {
    const { body } = await client.get('player_boxscore/read', { game_id: id('opener'), team_id: id('Lions') })
    expect(Object.values(body)).toMatchObject([
      { points: expect.any(Number) },
      { points: expect.any(Number) },
    ])
  })

  test('elo/read without a team answers all, with current the last of each', async () => {
    expect(Object.keys((await client.get('elo/read', { ...place, season: 2026 })).body)).toHaveLength(4)
    const current = await client.get('elo/read', { ...place, season: 2026, current: 1 })
    expect(
      Object.values(current.body)
        .map((row) => (row as { elo: number }).elo)
        .toSorted(),
    ).toEqual([1480, 1499, 1531])
    const history = await client.get('elo/read', { team_id: id('Tigers') })
    expect(Object.values(history.body)).toMatchObject([
      { elo: 1520, current: 0 },
      { elo: 1531, current: 1 },
    ])
  })

  test('transfers go by season or by player', async () => {
    const read = 'cbb_transfer_player_season/read'
    expect((await idsOf(read, { season: 2026 })).toSorted()).toEqual(
      [id('move of Smith'), id('move of Van Dyke')].toSorted(),
    )
    expect(await idsOf(read, { season: 2026, player_id: id('John Smith') })).toEqual([id('move of Smith')])
  })

  test('a statistics row is found by its day', async () => {
    const given = { organization_id, season: 2026, team_id: id('Bears'), date_of_rank: '2026-01-10' }
    expect((await client.get('statistic_ranking/getStats', given)).body).toMatchObject({
      games: 1,
      current: 0,
    })
    const exact = { ...given, date_of_rank: '2026-01-10T00:00:00.000Z' }
    expect((await client.get('statistic_ranking/getStats', exact)).body).toMatchObject({ games: 1 })
    const never = { ...given, date_of_rank: '2026-01-11' }
    expect((await client.get('statistic_ranking/getStats', never)).body).toEqual({})
  })

  test('every statistic class answers its current row', async () => {
    expect(await stats('statistic_ranking', { team_id: id('Tigers') })).toMatchObject({
      points: 67.5,
      points_rank: 1,
    })
    expect(await stats('player_statistic_ranking', { player_id: id('John Smith') })).toMatchObject({
      points_per_game: 31,
      basketball_player_statistic_id: id('statistics of Smith'),
    })
    expect(await stats('coach_statistic_ranking', { coach_id: id('Coach Smith') })).toMatchObject({
      wins_rank: 2,
    })
    expect(await stats('conference_statistic_ranking', { conference_id: id('East') })).toMatchObject({
      points_rank: 2,
    })
    expect(await stats('league_statistic_ranking')).toMatchObject({ points: 66 })
    expect(await stats('conference_player_statistic_ranking', { conference_id: id('East') })).toMatchObject({
      points_per_game: 9,
    })
    expect(await stats('league_player_statistic_ranking')).toMatchObject({ points_per_game: 8 })
  })

  test('career=1 answers the career in place of a season, career_active those still playing', async () => {
    const stats = async (given: object) =>
      (
        await client.get('player_statistic_ranking/getStats', {
          organization_id,
          player_id: id('John Smith'),
          ...given,
        })
      ).body
    expect(await stats({})).toMatchObject({ games: 1, career: 0 })
    expect(await stats({ career: 1 })).toMatchObject({ games: 30, career: 1, season: null })
    expect(await stats({ career: 1, career_active: 1 })).toMatchObject({ games: 30 })
    expect(await stats({ career: 1, season: 2025 })).toMatchObject({ games: 30 })
    expect(await stats({ career: 1, career_active: 0 })).toEqual({})
    expect((await client.get('statistic_ranking/getStats', { organization_id, career: 1 })).body).toEqual({})
  })

  test('a projection is the record so far plus what the predictions make of the games to come', async () => {
    const given = { organization_id, conference_id: id('East'), season: 2026 }
    const { body } = await client.get('conference/getConferencePrediction', given)
    const rows = Object.values(body) as Record<string, number>[] // rows of numbers, and ids that are not looked at
    expect(Object.keys(body).toSorted()).toEqual([id('Lions 2026-01-10'), id('Bears 2026-01-12')].toSorted())
    expect(rows).toMatchObject([{ hasAccess: true }, { hasAccess: true }])
    const [lions, bears] = ['Lions', 'Bears'].map((name) =>
      rows.find((row) => String(row['team_id']) === id(name)),
    )
    expect(lions?.['wins']).toBeCloseTo(0.25, 1)
    expect(bears?.['confwins']).toBeCloseTo(1.75, 1)
    expect(Number(lions?.['wins']) + Number(lions?.['losses'])).toBeCloseTo(2)
    expect((await client.get('conference/getConferencePrediction', given)).body).toEqual(body)
  })

  test('rows without a time come first, whatever the database', async () => {
    const timeless = { organization_id: id('timeless'), division_id: id('timeless'), season: 1998 }
    const game = (name: string, start_datetime: string | null, more: object = {}) => ({
      game_id: name,
      ...timeless,
      start_date: '1998-01-01T00:00:00.000Z',
      start_datetime,
      home_team_id: 'home',
      away_team_id: 'away',
      is_conf_game: 1,
      status: 'scheduled',
      ...more,
    })
    await put(running.database, 'game', [
      game('early', '1998-01-01T15:00:00.000Z'),
      game('late', '1998-01-01T20:00:00.000Z', { home_team_id: 'away', away_team_id: 'home' }),
      game('unknown', null),
    ])
    expect(await idsOf('game/read', { season: 1998 })).toEqual(['unknown', 'early', 'late'])
    const places = ['home', 'away'].map((team_id) => ({ ...timeless, team_id, conference_id: 'north' }))
    await running.database.db.insertInto('membership').values(places).execute()
    await put(
      running.database,
      'prediction',
      ['early', 'late', 'unknown'].map((game_id, nth) => ({
        prediction_id: `of ${game_id}`,
        game_id,
        current: 1,
        home_percentage: 0.2 + nth / 10,
      })),
    )
    await put(
      running.database,
      'statistic_ranking',
      places.map(({ team_id }) => ({
        statistic_ranking_id: `of ${team_id}`,
        ...timeless,
        team_id,
        current: 1,
        date_of_rank: '1998-01-01T00:00:00.000Z',
      })),
    )
    const projection = await client.get('conference/getConferencePrediction', {
      organization_id: timeless.organization_id,
      conference_id: 'north',
      season: 1998,
    })
    expect(within(projection.body, 'of home')).toMatchObject({ wins: 1.299, losses: 1.701 })
  })

  test('get answers the row with the lowest id, and getStats that of the rows of one day', async () => {
    const unordered = { organization_id: id('unordered'), season: 1997 }
    await put(
      running.database,
      'elo',
      ['c', 'a', 'b'].map((elo_id) => ({ elo_id, ...unordered })),
    )
    await running.database.db.updateTable('elo').set({ elo: 1 }).where('elo_id', '=', 'a').execute()
    expect((await client.get('elo/get', unordered)).body).toMatchObject({ elo_id: 'a' })
    await put(
      running.database,
      'coach_statistic_ranking',
      ['c', 'a', 'b'].map((key) => ({
        coach_statistic_ranking_id: key,
        ...unordered,
        current: 1,
        date_of_rank: '1997-01-01T00:00:00.000Z',
      })),
    )
    await running.database.db
      .updateTable('coach_statistic_ranking')
      .set({ coach_id: 'x' })
      .where('coach_statistic_ranking_id', '=', 'a')
      .execute()
    for (const given of [unordered, { ...unordered, current: 1 }])
      expect((await client.get('coach_statistic_ranking/getStats', given)).body).toMatchObject({
        coach_statistic_ranking_id: 'a',
      })
  })

  test('thousands of days of a timestamp are a filter like one', async () => {
    const day = (nth: number) => new Date(Date.UTC(2010, 0, nth)).toISOString().slice(0, 10)
    const days = Array.from({ length: 9_000 }, (_, nth) => day(nth))
    expect(days).toContain('2026-01-10')
    const given = { ...place, start_datetime: [...days, '2026-01-12T19:00:00.000Z'], deleted: 0 }
    expect(await idsOf('game/read', given)).toEqual(
      await idsOf('game/read', { ...place, season: 2026, deleted: 0 }),
    )
    expect(
      await idsOf('game/read', { ...place, start_datetime: ['2026-01-09', '2026-01-12', '2026-01-21'] }),
    ).toEqual([id('later')])
    const ranked = { ...place, date_of_rank: days.slice(days.indexOf('2026-01-12'), 7_100) }
    expect((await client.post('league_statistic_ranking/getStats', ranked)).body).toMatchObject({
      points: 66,
    })
  })

  test('ranking/download answers a whole division of each subject', async () => {
    const download = async (type: string) =>
      (await client.get('ranking/download', { ...place, season: 2026, type })).body
    expect(Object.keys(await download('team'))).toHaveLength(3)
    expect(Object.values(await download('player'))).toMatchObject([{ points_per_game_rank: 2, career: 0 }])
    expect(Object.values(await download('coach'))).toMatchObject([{ wins_rank: 2 }])
    expect(Object.values(await download('conference'))).toMatchObject([{ points_rank: 2 }])
    expect(await download('transfer')).toMatchObject({
      [id('move of Smith')]: { committed: 1, points_per_game: 31, season: 2026 },
      [id('move of Van Dyke')]: { committed: 0 },
    })
    const elsewhere = { ...place, division_id: id('another division'), season: 2026, type: 'transfer' }
    expect((await client.get('ranking/download', elsewhere)).body).toEqual({})
    expect(
      codeOf(await client.get('ranking/download', { ...place, season: 2026, type: 'constructor' })),
    ).toBe('invalid_argument')
  })

  test('coaches, conferences and predictions are read like any table', async () => {
    expect((await client.get('coach/get', { last_name: 'Knight' })).body).toMatchObject({
      coach_id: id('Pat Knight'),
      first_name: 'Pat',
    })
    expect((await client.get('conference/read', { ...place })).body).toMatchObject({
      [id('East')]: { name: 'East' },
      [id('West')]: {},
    })
    expect(
      Object.keys((await client.get('prediction/read', { game_id: id('opener'), current: 1 })).body),
    ).toEqual([id('last view')])
  })
})
