import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { graphOver, startSample } from './harness.ts'
import type { Graph, Sample } from './harness.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'
import { grouped, rankAmong, rawRows, sumOf } from '../service/import/raw.ts'
import type { RawRow } from '../service/import/raw.ts'
import { hasSeason, importedSeason, sourceFolder, withoutSeason } from '../service/import/seasons.ts'
import type { RealSeason } from '../service/import/seasons.ts'

const number = (row: RawRow, column: string) => Number(row[column])
const total = (rows: readonly RawRow[], column: string) => sumOf(rows.map((row) => number(row, column)))
const list = (value: unknown) => value as readonly Json[] // the test fails where it is none
const thousandth = (value: number) => Math.round(1000 * value) / 1000

interface Season {
  readonly sample: Sample
  /** A graph with nothing kept yet, whose default league is the season's. */
  graph(): Graph
}

/** A real season behind the service, and the service behind the graph. */
async function startSeason(season: RealSeason): Promise<Season> {
  const { folder } = await importedSeason(season)
  const sample = await startSample(folder)
  const first = async (table: string) =>
    String(Object.keys(await sample.row(`${table}/read`, { inactive: 0 }))[0])
  const defaults = { organization_id: await first('organization'), division_id: await first('division') }
  return { sample, graph: () => graphOver(sample.transport, { apiKey: sample.apiKey, defaults }) }
}

async function ask(graph: Graph, text: string): Promise<Json> {
  const { data, errors } = await graph.query<Json>(text)
  expect(errors).toBeUndefined()
  return within(data, 'league')
}

/** The key of the one team of a name. */
async function teamNamed(graph: Graph, name: string, field: 'name' | 'altName' = 'name'): Promise<string> {
  const found = await ask(graph, `{ league { search(name: "${name}") { teams { teamId ${field} } } } }`)
  const team = list(within(found, 'search')['teams']).find((one) => one[field] === name)
  expect(graph.calls.take()).toEqual(['search/search 1'])
  return String(team?.['teamId'])
}

describe.skipIf(!hasSeason('basketball'))(
  `a real season of basketball through the graph${withoutSeason('basketball')}`,
  () => {
    let season: Season
    let boxes: RawRow[]
    let schedule: RawRow[]

    beforeAll(async () => {
      season = await startSeason('basketball')
      boxes = rawRows(sourceFolder('basketball'), 'team_box')
      schedule = rawRows(sourceFolder('basketball'), 'schedule')
    })
    afterAll(() => season?.sample.close())

    const dayOf = ({ game_date: date = '' }: RawRow) =>
      `${date.slice(6)}-${date.slice(0, 2)}-${date.slice(3, 5)}`

    test('the final scores of a day are the boxscores’, the one included that the schedule has the wrong way round', async () => {
      const graph = season.graph()
      const data = await ask(
        graph,
        '{ league { games(date: "2025-12-17") { status homeScore awayScore homeTeam { name } awayTeam { name } } } }',
      )
      const points = new Map(boxes.map((box) => [`${box['contest_id']} ${box['team']}`, number(box, 'pts')]))
      const expected = schedule
        .filter((game) => dayOf(game) === '2025-12-17')
        .map(({ contest_id, home, away }) => ({
          status: 'final',
          homeScore: points.get(`${contest_id} ${home}`),
          awayScore: points.get(`${contest_id} ${away}`),
          homeTeam: { name: home },
          awayTeam: { name: away },
        }))
      const byHome = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()
      expect(data['games']).toContainEqual({
        status: 'final',
        homeScore: 80,
        awayScore: 66,
        homeTeam: { name: 'Ole Miss' },
        awayTeam: { name: 'Alabama A&M' },
      })
      const games = list(data['games'])
      expect(games).toHaveLength(expected.length)
      const differing = byHome(games).filter((row) => !byHome(expected).includes(row))
      expect(differing.length).toBeLessThan(2)
      expect(graph.calls.take()).toEqual(['game/getGames 1'])
    })

    test('a roster is the source’s', async () => {
      const graph = season.graph()
      const duke = await teamNamed(graph, 'Duke')
      const data = await ask(
        graph,
        `{ league { team(id: "${duke}") { roster(season: 2026) { firstName lastName number height position } } } }`,
      )
      const raw = rawRows(sourceFolder('basketball'), 'team_rosters').filter((row) => row['team'] === 'Duke')
      const shown = list(within(data, 'team')['roster']).map((player) =>
        [
          `${String(player['firstName'])} ${String(player['lastName'])}`,
          player['number'],
          player['height'],
          player['position'],
        ].join(),
      )
      expect(shown.toSorted()).toEqual(
        raw
          .map((row) => [row['clean_name'], row['jersey'], row['height'], row['position']].join())
          .toSorted(),
      )
      expect(graph.calls.take()).toEqual(['team/getPlayers 1'])
    })

    test('a team’s statistics are the means of its boxscores, the graph’s and the source’s', async () => {
      const graph = season.graph()
      const duke = await teamNamed(graph, 'Duke')
      const data = await ask(
        graph,
        `{ league { team(id: "${duke}") {
        stats(season: 2026) { games points { value } opponentPoints { value } totalRebounds { value } fieldGoalPercentage { value } }
        boxscores(season: 2026) { points ... on BasketballTeamBoxscore { totalRebounds fieldGoal fieldGoalAttempts } }
      } } }`,
      )
      const { stats } = within(data, 'team') as {
        stats: Record<string, { value: number }> & { games: number }
      }
      const boxscores = list(within(data, 'team')['boxscores'])
      const sum = (field: string) => sumOf(boxscores.map((row) => Number(row[field])))
      const raw = boxes.filter(({ team }) => team === 'Duke')
      expect(stats.games).toBe(raw.length)
      expect(boxscores).toHaveLength(raw.length)
      for (const [field, mean, own] of [
        ['points', total(raw, 'pts') / raw.length, sum('points') / raw.length],
        [
          'totalRebounds',
          (total(raw, 'orb') + total(raw, 'drb')) / raw.length,
          sum('totalRebounds') / raw.length,
        ],
        [
          'fieldGoalPercentage',
          (100 * total(raw, 'fgm')) / total(raw, 'fga'),
          (100 * sum('fieldGoal')) / sum('fieldGoalAttempts'),
        ],
      ] as const) {
        expect(stats[field]?.value).toBeCloseTo(mean, 2)
        expect(own).toBeCloseTo(mean, 6)
      }
      expect(stats['opponentPoints']?.value).toBeCloseTo(total(raw, 'd_pts') / raw.length, 2)
      expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'team/getStats 1'])
    })

    test('a rank of a day is the place among all teams of that day', async () => {
      const graph = season.graph()
      const day = '2026-01-15'
      const duke = await teamNamed(graph, 'Duke')
      const data = await ask(
        graph,
        `{ league { team(id: "${duke}") { stats(season: 2026, date: "${day}") { points { value rank } opponentPoints { rank } } } } }`,
      )
      const played = new Set(
        schedule.filter((game) => dayOf(game) <= day).map(({ contest_id }) => contest_id),
      )
      const teams = new Set(rawRows(sourceFolder('basketball'), 'team_ids').map(({ team }) => team))
      const ofTeam = grouped(
        boxes.filter(({ contest_id, team }) => played.has(contest_id) && teams.has(team)),
        ({ team = '' }) => team,
      )
      const means = (column: string) =>
        new Map([...ofTeam].map(([team, rows]) => [team, thousandth(total(rows, column) / rows.length)]))
      const [points, against] = [means('pts'), means('d_pts')]
      expect(points.size).toBe(365)
      const fewest = [...against.values()].map((value) => -value)
      expect(within(data, 'team', 'stats')).toEqual({
        points: { value: points.get('Duke'), rank: rankAmong(points.get('Duke') ?? 0, [...points.values()]) },
        opponentPoints: { rank: rankAmong(-(against.get('Duke') ?? 0), fewest) },
      })
      expect(graph.calls.take()).toEqual(['statistic_ranking/getStats 1'])
    })
  },
)

describe.skipIf(!hasSeason('football'))(
  `a real season of football through the graph${withoutSeason('football')}`,
  () => {
    let season: Season
    let schedule: RawRow[]
    let boxes: RawRow[]
    let players: RawRow[]

    beforeAll(async () => {
      season = await startSeason('football')
      const folder = sourceFolder('football')
      schedule = rawRows(folder, 'schedule')
      boxes = rawRows(folder, 'team_box')
      players = rawRows(folder, 'player_box')
    })
    afterAll(() => season?.sample.close())

    test('the final scores of a day are the source’s, with its lines', async () => {
      const graph = season.graph()
      const data = await ask(
        graph,
        '{ league { games(date: "2025-08-30") { homeScore awayScore homeTeam { altName } awayTeam { altName } odds { pre { spreadHome over } } } } }',
      )
      const citadel = list(data['games']).find(
        (game) => within(game, 'homeTeam')['altName'] === 'The Citadel Bulldogs',
      )
      const line = rawRows(sourceFolder('football'), 'betting').find((row) => row['game_id'] === '401767509')
      expect(citadel).toEqual({
        homeScore: 0,
        awayScore: 38,
        homeTeam: { altName: 'The Citadel Bulldogs' },
        awayTeam: { altName: 'North Dakota State Bison' },
        odds:
          line?.['odds_source'] === 'default'
            ? { pre: null }
            : {
                pre: {
                  spreadHome: number(line ?? {}, 'home_team_spread'),
                  over: number(line ?? {}, 'over_under'),
                },
              },
      })
      const raw = new Map(schedule.map((row) => [`${row['home_team']} ${row['away_team']}`, row]))
      expect(list(data['games']).length).toBeGreaterThan(50)
      for (const game of list(data['games'])) {
        const names = `${String(within(game, 'homeTeam')['altName'])} ${String(within(game, 'awayTeam')['altName'])}`
        const row = raw.get(names) ?? {}
        expect([game['homeScore'], game['awayScore']], names).toEqual([
          number(row, 'home_score'),
          number(row, 'away_score'),
        ])
      }
      expect(graph.calls.take()).toEqual(['game/getGames 1', 'game/getScores 1'])
    })

    test('every player of the division is in one leaderboard, the most passing yards a game first', async () => {
      const graph = season.graph()
      const data = await ask(
        graph,
        '{ league { ranking(subject: PLAYER, season: 2025, orderBy: "passing_yards_per_game", first: 2) { totalCount edges { node { stat(name: "passing_yards_per_game") { value rank } } } } } }',
      )
      const { totalCount, edges } = within(data, 'ranking')
      const people = new Set(players.map((row) => row['athlete_id']).filter((id) => Number(id) > 0))
      expect(totalCount).toBe(people.size)
      expect(list(edges).map((edge) => within(edge, 'node', 'stat')['rank'])).toEqual([1, 2])
      expect(graph.calls.take()).toEqual(['organization/read 1', 'ranking/download 1'])
    })

    test('a roster is everybody who has played for the team', async () => {
      const graph = season.graph()
      const bison = await teamNamed(graph, 'North Dakota State Bison', 'altName')
      const data = await ask(
        graph,
        `{ league { team(id: "${bison}") { roster(season: 2025) { firstName lastName } } } }`,
      )
      const names = list(within(data, 'team')['roster']).map(({ firstName, lastName }) =>
        `${String(firstName)} ${String(lastName)}`.trim(),
      )
      const raw = players.filter((row) => row['team_id'] === '2449' && number(row, 'athlete_id') > 0)
      const people = new Map(raw.map((row) => [row['athlete_id'], row['athlete_name']?.trim()]))
      expect(names.toSorted()).toEqual([...people.values()].toSorted())
      expect(graph.calls.take()).toEqual(['team/getPlayers 1'])
    })

    test('a team’s statistics are the means of its boxscores, and its rank its place among all teams with half the usual number of games', async () => {
      const graph = season.graph()
      const bison = await teamNamed(graph, 'North Dakota State Bison', 'altName')
      const data = await ask(
        graph,
        `{ league { team(id: "${bison}") {
        stats(season: 2025) { stat(name: "totalYards") { value rank } }
        boxscores(season: 2025) { ... on FootballTeamBoxscore { passingYards rushingYards firstDowns } }
      } } }`,
      )
      const ofTeam = grouped(boxes, (box) => box['team_id'] ?? '')
      const mean = (rows: readonly RawRow[]) => thousandth(total(rows, 'totalYards') / rows.length)
      const own = ofTeam.get('2449') ?? []
      const games = [...ofTeam.values()].map(({ length }) => length).toSorted((a, b) => a - b)
      const usual = games[Math.floor(games.length / 2)] ?? 0
      const ranked = [...ofTeam.values()].filter(({ length }) => length >= usual / 2)
      const boxscores = list(within(data, 'team')['boxscores'])
      expect(boxscores).toHaveLength(own.length)
      const yards = sumOf(boxscores.map((row) => Number(row['passingYards']) + Number(row['rushingYards'])))
      expect(yards).toBe(total(own, 'totalYards'))
      expect(sumOf(boxscores.map((row) => Number(row['firstDowns'])))).toBe(total(own, 'firstDowns'))
      expect(within(data, 'team', 'stats', 'stat')).toEqual({
        value: mean(own),
        rank: rankAmong(mean(own), ranked.map(mean)),
      })
      expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'team/getStats 1'])
    })
  },
)
