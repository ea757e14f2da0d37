import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasSeason, importedSeason, withoutSeason } from '../service/import/seasons.ts'
import { importedSmallSeason } from '../service/import/small-source.ts'
import { basketball, football, footballSeason, season, startSample } from './harness.ts'
import type { Graph, GraphOptions, Sample } from './harness.ts'
import type { Column, Columns } from '../../src/specification/columns.ts'
import { statisticsOf } from '../../src/specification/sport-statistics.ts'
import { keyOf, sportColumns, tables } from '../../src/specification/tables.ts'
import type { StatisticClass, TableName } from '../../src/specification/tables.ts'
import { within } from '../service/client.ts'
import type { Arguments, Json } from '../service/client.ts'

/** `npm test` imports two small seasons, `npm run suites` two real ones. */
const isReal = process.env['REAL_SEASONS'] !== undefined

/** The service that the tests at hand are about. */
let sample: Sample

const standing = (season?: ImportedSport) => {
  let folder: { readonly path: string; remove(): void } | undefined
  beforeAll(async () => {
    if (season && isReal) folder = { path: (await importedSeason(season)).folder, remove() {} }
    else if (season) folder = await importedSmallSeason(season)
    sample = await startSample(folder?.path)
  })
  afterAll(async () => {
    await sample?.close()
    folder?.remove()
  })
}

/** A graph with nothing kept yet, and a key that may do all. */
const freshGraph = (options: GraphOptions = {}) => sample.graph({ apiKey: sample.apiKey, ...options })

/** The graph's name for a column, spelled out here once more on purpose. */
const fieldOf = (name: string, column: Column) =>
  column.field ??
  name
    .split('_')
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')

const camel = (name: string) => fieldOf(name, { kind: 'number', description: '' })

/** What the graph serves for a value of the service. */
function served(value: unknown, { kind }: Column): unknown {
  if (value === null || value === undefined) return null
  if (kind === 'flag') return value === 1
  if (kind === 'day') return String(value).slice(0, 10)
  return value
}

const selectionOf = (columns: Columns) =>
  Object.entries(columns)
    .map(([name, column]) => fieldOf(name, column))
    .join(' ')

const expectedOf = (row: Json, columns: Columns) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [fieldOf(name, column), served(row[name], column)]),
  )

/** Columns without those that no row of the table itself has. */
const without = (columns: Columns, ...names: string[]): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => !names.includes(name)))

type ImportedSport = 'basketball' | 'football'

interface Sport {
  readonly name: string
  readonly league: { readonly organization_id: string; readonly division_id: string }
  readonly season: number
  /** A day with games that are over and games to come. */
  readonly day: string
  readonly boxscores: { readonly type: string; readonly columns: Columns }
  readonly players: { readonly type: string; readonly columns: Columns }
  /** The sport of the season that is imported; the sample league if there is none. */
  readonly imported?: ImportedSport
  /** What the season's source has none of. */
  readonly lacks?: readonly string[]
}

const noPeople = ['a coach', 'coach_statistic_ranking']
const noPlayerLines = [
  'player boxscores',
  'a game log',
  'playerBoxscores',
  'player_statistic_ranking',
  'conference_player_statistic_ranking',
  'league_player_statistic_ranking',
]
const noConferences = ['a conference', 'conference_statistic_ranking', 'conference_player_statistic_ranking']

const basketballLines = {
  boxscores: { type: 'BasketballTeamBoxscore', columns: sportColumns.basketball_boxscore },
  players: { type: 'BasketballPlayerBoxscore', columns: sportColumns.basketball_player_boxscore },
}
const footballLines = {
  boxscores: { type: 'FootballTeamBoxscore', columns: sportColumns.football_boxscore },
  players: { type: 'OtherPlayerBoxscore', columns: {} },
}

const size = isReal ? 'a real' : 'a small'

const sports: readonly Sport[] = [
  { name: 'sample basketball', league: basketball, season, day: '2026-02-14', ...basketballLines },
  { name: 'sample football', league: football, season: footballSeason, day: '2026-02-14', ...footballLines },
  {
    name: `${size} season of basketball`,
    league: basketball,
    season: 2026,
    day: isReal ? '2025-12-17' : '2025-11-03',
    imported: 'basketball',
    lacks: [...noPeople, ...noPlayerLines, 'current pre-game odds', 'movements of the line'],
    ...basketballLines,
  },
  {
    name: `${size} season of football`,
    league: football,
    season: 2025,
    day: isReal ? '2025-08-30' : '2025-09-06',
    imported: 'football',
    lacks: [...noPeople, ...noConferences],
    ...footballLines,
  },
]

/** One way to rows of a table: through the graph, and from the service. */
interface Way {
  readonly columns: Columns
  readonly rows: readonly Json[]
  /** A selection set around the columns. */
  readonly query: (selection: string) => string
  /** The objects in the answer. */
  readonly found: (data: Json) => readonly (Json | null)[]
  readonly calls: readonly string[]
}

const list = (value: unknown) => value as readonly Json[] // the test fails where it is none

const leagueGames = (data: Json) => list(within(data, 'league')['games'])

const ask = (operation: string, given: Arguments = {}) => sample.rows(operation, given)

const owned = (owner: 'team' | 'player' | 'coach' | 'conference', field: string, id: string) => ({
  identity: { [`${owner}_id`]: id },
  path: [`${owner}(id: "${id}")`, field],
})

const rowIn = (data: Json, path: readonly string[]) => {
  const names = path.map((step) => step.replace(/\(.*/, ''))
  return Object.hasOwn(data, 'league') ? within(data, 'league', ...names) : within(data, ...names)
}

const byId = async (
  field: string,
  table: TableName,
  keys: readonly string[],
  columns: Columns,
): Promise<Way> => ({
  columns,
  rows: await ask(`${table}/read`, { [keyOf(table)]: keys }),
  query: (selection) => `{ ${field}(ids: ${JSON.stringify(keys)}) { ${selection} } }`,
  found: (data) => list(data[field]),
  calls: [`${table}/read ${keys.length}`],
})

async function agrees(graph: Graph, table: TableName, way: Way): Promise<void> {
  expect(way.rows.length).toBeGreaterThan(0)
  const { data, errors } = await graph.query<Json>(way.query(selectionOf(way.columns)))
  expect(errors).toBeUndefined()
  expect(graph.calls.take()).toEqual(way.calls)
  const key = fieldOf(keyOf(table), { kind: 'key', description: '' })
  const byKey = (rows: readonly (Json | null)[]) =>
    rows.toSorted((a, b) => (String(a?.[key]) < String(b?.[key]) ? -1 : 1))
  expect(byKey(way.found(data))).toEqual(byKey(way.rows.map((row) => expectedOf(row, way.columns))))
}

const ids = (rows: readonly Json[], column: string) => [...new Set(rows.map((row) => String(row[column])))]

for (const sport of sports) {
  const real = isReal ? sport.imported : undefined
  const isThere = real === undefined || hasSeason(real)
  const reason = real === undefined ? '' : withoutSeason(real)
  describe.skipIf(!isThere)(`${sport.name}${reason}`, () => everyColumnOf(sport))
}

function everyColumnOf({
  season: year,
  day,
  boxscores,
  players,
  imported,
  lacks = [],
  ...sport
}: Sport): void {
  standing(imported)
  const has = (name: string) => !lacks.includes(name)

  /** An imported season's league is known when it is there. */
  const league = { ...sport.league }
  beforeAll(async () => {
    if (!imported) return
    const [organization = {}] = await ask('organization/read', { inactive: 0 })
    const [division = {}] = await ask('division/read', { inactive: 0 })
    league.organization_id = String(organization['organization_id'])
    league.division_id = String(division['division_id'])
  })

  test.skip.each([...lacks])('%s (skipped: the season’s source has none)', () => {})

  const inLeague = (fields: string) =>
    `{ league(organizationId: "${league.organization_id}", divisionId: "${league.division_id}") { ${fields} } }`
  const games = () => sample.rows('game/getGames', { ...league, start_date: day })

  const ways: Readonly<Record<string, { table: TableName; way: () => Promise<Way> }>> = {
    organizations: {
      table: 'organization',
      way: async () => ({
        columns: tables.organization,
        rows: await ask('organization/read'),
        query: (selection) => `{ organizations(active: null) { ${selection} } }`,
        found: (data) => list(data['organizations']),
        calls: ['organization/read 1'],
      }),
    },
    divisions: {
      table: 'division',
      way: async () => ({
        columns: tables.division,
        rows: await ask('division/read'),
        query: (selection) => `{ divisions(active: null) { ${selection} } }`,
        found: (data) => list(data['divisions']),
        calls: ['division/read 1'],
      }),
    },
    'games by id': {
      table: 'game',
      way: async () => byId('games', 'game', ids(await games(), 'game_id'), tables.game),
    },
    'games of a day': {
      table: 'game',
      way: async () => ({
        columns: tables.game,
        rows: await games(),
        query: (selection) => inLeague(`games(date: "${day}") { ${selection} }`),
        found: leagueGames,
        calls: ['game/getGames 1'],
      }),
    },
    'teams by id': {
      table: 'team',
      way: async () =>
        byId('teams', 'team', ids(await games(), 'home_team_id'), without(tables.team, 'conference_id')),
    },
    'teams in the games of a day, with their conferences': {
      table: 'team',
      way: async () => ({
        columns: tables.team,
        rows: (await games()).map((game) => within(game, 'teams', String(game['home_team_id']))),
        query: (selection) => inLeague(`games(date: "${day}") { homeTeam { ${selection} } }`),
        found: (data) => leagueGames(data).map((game) => within(game, 'homeTeam')),
        calls: ['game/getGames 1'],
      }),
    },
    predictions: {
      table: 'prediction',
      way: async () => ({
        columns: tables.prediction,
        rows: (await ask('game/getScores', { ...league, start_date: day })).map((row) =>
          within(row, 'prediction'),
        ),
        query: (selection) => inLeague(`games(date: "${day}") { prediction { ${selection} } }`),
        found: (data) => leagueGames(data).map((game) => within(game, 'prediction')),
        calls: ['game/getScores 1'],
      }),
    },
    'current pre-game odds': {
      table: 'odds',
      way: async () => ({
        columns: tables.odds,
        // Not every game has a line.
        rows: (await ask('game/getScores', { ...league, start_date: day })).flatMap((row) =>
          within(row, 'odds')['pre'] === null ? [] : [within(row, 'odds', 'pre')],
        ),
        query: (selection) => inLeague(`games(date: "${day}") { odds { pre { ${selection} } } }`),
        found: (data) =>
          leagueGames(data).flatMap((game) =>
            within(game, 'odds')['pre'] === null ? [] : [within(game, 'odds', 'pre')],
          ),
        calls: ['game/getScores 1'],
      }),
    },
    'movements of the line': {
      table: 'odds',
      way: async () => {
        const [game = {}] = await games()
        return {
          columns: tables.odds,
          rows: await ask('odds/read', { game_id: game['game_id'] }),
          query: (selection) =>
            `{ game(id: "${String(game['game_id'])}") { odds { history { ${selection} } } } }`,
          found: (data) => list(within(data, 'game', 'odds')['history']),
          calls: ['odds/read 1'],
        }
      },
    },
    'every team’s rating': {
      table: 'elo',
      way: async () => ({
        columns: tables.elo,
        rows: await ask('elo/read', { ...league, season: year, current: 1 }),
        query: (selection) => inLeague(`elo(season: ${year}) { ${selection} }`),
        found: (data) => list(within(data, 'league')['elo']),
        calls: ['elo/read 1'],
      }),
    },
    'players by id': {
      table: 'player',
      way: async () => {
        const team_id = (await games())[0]?.['home_team_id']
        const roster = await ask('team/getPlayers', {
          ...league,
          division_id: undefined,
          team_id,
          season: year,
        })
        return byId('players', 'player', ids(roster, 'player_id'), tables.player)
      },
    },
    'seasons of a player': {
      table: 'player_team_season',
      way: async () => {
        const player_id = await aPlayer()
        return {
          columns: tables.player_team_season,
          rows: await ask('player/getSeasons', { player_id }),
          query: (selection) => `{ player(id: "${player_id}") { seasons { ${selection} } } }`,
          found: (data) => list(within(data, 'player')['seasons']),
          calls: ['player/getSeasons 1'],
        }
      },
    },
    'a coach': {
      table: 'coach',
      way: async () => {
        const [row = {}] = await ask('coach/read')
        return {
          columns: tables.coach,
          rows: [row],
          query: (selection) => `{ coach(id: "${String(row['coach_id'])}") { ${selection} } }`,
          found: (data) => [within(data, 'coach')],
          calls: ['coach/read 1'],
        }
      },
    },
    'a conference': {
      table: 'conference',
      way: async () => {
        const [row = {}] = await ask('conference/read', league)
        return {
          columns: tables.conference,
          rows: [row],
          query: (selection) => `{ conference(id: "${String(row['conference_id'])}") { ${selection} } }`,
          found: (data) => [within(data, 'conference')],
          calls: ['conference/read 1'],
        }
      },
    },
    'team boxscores': {
      table: 'boxscore',
      way: async () => ({
        columns: { ...tables.boxscore, ...boxscores.columns },
        rows: await ask('boxscore/readBoxscore', {
          organization_id: league.organization_id,
          game_id: await playedGame(),
        }),
        query: (selection) =>
          inLeague(`game(id: "${played}") { boxscores { ... on ${boxscores.type} { ${selection} } } }`),
        found: (data) => list(within(data, 'league', 'game')['boxscores']),
        calls: ['boxscore/readBoxscore 1'],
      }),
    },
    'player boxscores': {
      table: 'player_boxscore',
      way: async () => ({
        columns: { ...tables.player_boxscore, ...players.columns },
        rows: await ask('player_boxscore/read', { game_id: await playedGame() }),
        query: (selection) =>
          `{ game(id: "${played}") { playerBoxscores { ... on ${players.type} { ${selection} } } } }`,
        found: (data) => list(within(data, 'game')['playerBoxscores']),
        calls: ['player_boxscore/read 1'],
      }),
    },
    'a game log': {
      table: 'player_boxscore',
      way: async () => {
        const player_id = await aPlayer()
        return {
          columns: { ...tables.player_boxscore, ...players.columns },
          rows: await ask('player/getGameLogs', { ...league, player_id, season: year }),
          query: (selection) =>
            inLeague(
              `player(id: "${player_id}") { gameLog(season: ${year}) { ... on ${players.type} { ${selection} } } }`,
            ),
          found: (data) => list(within(data, 'league', 'player')['gameLog']),
          calls: ['player/getGameLogs 1'],
        }
      },
    },
  }

  let played = ''
  async function playedGame(): Promise<string> {
    played = String((await games()).find((game) => game['status'] === 'final')?.['game_id'])
    return played
  }

  /** A player with boxscores, or at least a roster. */
  async function aPlayer(): Promise<string> {
    const [row] = has('player boxscores')
      ? await ask('player_boxscore/read', { game_id: await playedGame() })
      : await ask('team/getPlayers', {
          organization_id: league.organization_id,
          team_id: (await games())[0]?.['home_team_id'],
          season: year,
        })
    return String(row?.['player_id'])
  }

  test.each(Object.entries(ways).filter(([name]) => has(name)))(
    'every column of %s is the service’s own',
    async (_name, { table, way }) => {
      await agrees(freshGraph(), table, await way())
    },
  )

  /** Whose row a class has, and the path to it. */
  const owners: Readonly<
    Record<StatisticClass, () => Promise<{ identity: Arguments; path: readonly string[] }>>
  > = {
    statistic_ranking: async () => {
      const [game] = await games()
      return owned('team', 'stats', String(game?.['home_team_id']))
    },
    player_statistic_ranking: async () => owned('player', 'stats', await aPlayer()),
    coach_statistic_ranking: async () => {
      const row = await sample.row('coach_statistic_ranking/getStats', {
        ...league,
        season: year,
        current: 1,
      })
      return owned('coach', 'stats', String(row['coach_id']))
    },
    conference_statistic_ranking: async () => owned('conference', 'stats', await aConference()),
    conference_player_statistic_ranking: async () =>
      owned('conference', 'playerAverages', await aConference()),
    league_statistic_ranking: async () => ({ identity: {}, path: ['averages'] }),
    league_player_statistic_ranking: async () => ({ identity: {}, path: ['playerAverages'] }),
  }

  const aConference = async () => String((await ask('conference/read', league))[0]?.['conference_id'])

  /** Where the league cannot be the parent, it is the default. */
  const wrap = (path: readonly string[], selection: string) => {
    const [first = '', second] = path
    const args = `season: ${year}`
    const inner = second
      ? `${first} { ${second}(${args}) { ${selection} } }`
      : `${first}(${args}) { ${selection} }`
    return /^(coach|conference)\(/.test(first) ? `{ ${inner} }` : inLeague(inner)
  }

  const classes = (Object.keys(owners) as StatisticClass[]).filter(has) // the keys just written

  test.each(classes)('every column of %s is the service’s own', async (table) => {
    const { identity, path } = await owners[table]()
    const row = await sample.row(`${table}/getStats`, { ...league, season: year, current: 1, ...identity })
    const graph = freshGraph({ defaults: league })
    const columns: Columns = {
      ...tables[table],
      ...(table === 'player_statistic_ranking' && sportColumns.basketball_player_statistic),
    }
    const { data, errors } = await graph.query<Json>(wrap(path, `${selectionOf(columns)} columns`))
    expect(errors).toBeUndefined()
    const call = table === 'statistic_ranking' ? 'team/getStats 1' : `${table}/getStats 1`
    expect(graph.calls.take()).toEqual([call])
    expect(rowIn(data, path)).toEqual({ ...expectedOf(row, columns), columns: row })
  })

  test.each(classes)('every statistic of %s is found by its name, in either spelling', async (table) => {
    const { identity, path } = await owners[table]()
    const row = await sample.row(`${table}/getStats`, { ...league, season: year, current: 1, ...identity })
    const known = new Set([...Object.keys(tables[table]), 'basketball_player_statistic_id'])
    const names = Object.keys(row).filter(
      (name) => !known.has(name) && !name.endsWith('_rank') && !name.endsWith('_id'),
    )
    expect(names.length).toBeGreaterThan(4)
    const wanted = (name: string) => ({ value: row[name] ?? null, rank: row[`${name}_rank`] ?? null })
    const graph = freshGraph({ defaults: league })
    const both = names.map(
      (name) =>
        `s_${name}: stat(name: "${name}") { value rank } c_${name}: stat(name: "${camel(name)}") { value rank }`,
    )
    const { data, errors } = await graph.query<Json>(
      wrap(path, `${both.join(' ')} stats(names: ${JSON.stringify(names)}) { name value rank }`),
    )
    expect(errors).toBeUndefined()
    const spelled = names.flatMap((name) => [
      [`s_${name}`, wanted(name)],
      [`c_${name}`, wanted(name)],
    ])
    expect(rowIn(data, path)).toEqual({
      ...Object.fromEntries(spelled),
      stats: names.map((name) => Object.assign({ name }, wanted(name))),
    })
    expect(graph.calls.take()).toHaveLength(1)
  })

  test.each(classes)(
    'every statistic of %s is a field with its rank, and none is left out',
    async (table) => {
      const { identity, path } = await owners[table]()
      const row = await sample.row(`${table}/getStats`, { ...league, season: year, current: 1, ...identity })
      const { ranked, unranked } = statisticsOf(table)
      const graph = freshGraph({ defaults: league })
      const fields = [...unranked.map(camel), ...ranked.map((name) => `${camel(name)} { value rank }`)]
      const { data, errors } = await graph.query<Json>(wrap(path, `statNames ${fields.join(' ')}`))
      expect(errors).toBeUndefined()
      const { statNames, ...values } = rowIn(data, path)
      expect(values).toEqual({
        ...Object.fromEntries(unranked.map((name) => [camel(name), row[name] ?? null])),
        ...Object.fromEntries(
          ranked.map((name) => [
            camel(name),
            { value: row[name] ?? null, rank: row[`${name}_rank`] ?? null },
          ]),
        ),
      })
      expect([...unranked, ...ranked]).toEqual(expect.arrayContaining(statNames as string[]))
      expect(graph.calls.take()).toHaveLength(1)
    },
  )

  test.each((['boxscores', 'playerBoxscores'] as const).filter(has))(
    'every column of %s is found by its name, in either spelling, and whole in columns',
    async (field) => {
      const game_id = await playedGame()
      const operation = field === 'boxscores' ? 'boxscore/readBoxscore' : 'player_boxscore/read'
      const given = field === 'boxscores' ? { organization_id: league.organization_id, game_id } : { game_id }
      const [row = {}] = await ask(operation, given)
      const names = Object.keys(row).filter((name) => typeof row[name] === 'number')
      const key = field === 'boxscores' ? 'boxscore_id' : 'player_boxscore_id'
      const graph = freshGraph({ defaults: league })
      const stats = names.map(
        (name) => `s_${name}: stat(name: "${name}") c_${name}: stat(name: "${camel(name)}")`,
      )
      const { data, errors } = await graph.query<Json>(
        `{ game(id: "${game_id}") { ${field} { columns minutesPlayed points ${stats.join(' ')} } } }`,
      )
      expect(errors).toBeUndefined()
      const found = list(within(data, 'game')[field]).find((one) => within(one, 'columns')[key] === row[key])
      expect(found).toEqual({
        columns: row,
        minutesPlayed: row['minutes_played'] ?? null,
        points: row['points'] ?? null,
        ...Object.fromEntries(
          names.flatMap((name) => [
            [`s_${name}`, row[name]],
            [`c_${name}`, row[name]],
          ]),
        ),
      })
      expect(graph.calls.take()).toEqual([`${operation} 1`])
    },
  )
}

describe('sample basketball', () => {
  standing()

  test('every column of a transfer is the service’s own', async () => {
    await agrees(freshGraph(), 'cbb_transfer_player_season', {
      columns: tables.cbb_transfer_player_season,
      rows: await sample.rows('cbb_transfer_player_season/read', { season }),
      query: (selection) => `{ league { transfers(season: ${season}) { ${selection} } } }`,
      found: (data) => list(within(data, 'league')['transfers']),
      calls: ['cbb_transfer_player_season/read 1'],
    })
  })

  test('every column of a career is the service’s own', async () => {
    const row = await sample.row('player_statistic_ranking/getStats', { ...basketball, career: 1 })
    const graph = freshGraph()
    const { data, errors } = await graph.query<Json>(
      `{ league { player(id: "${String(row['player_id'])}") { careerStats { ${selectionOf(tables.player_statistic_ranking)} columns } } } }`,
    )
    expect(errors).toBeUndefined()
    expect(within(data, 'league', 'player')['careerStats']).toEqual({
      ...expectedOf(row, tables.player_statistic_ranking),
      columns: row,
    })
    expect(graph.calls.take()).toEqual(['player_statistic_ranking/getStats 1'])
  })
})
