import type { Arguments } from '../../src/specification/operation.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import { keyIn, keysIn, rowsIn } from '../json.ts'
import { loadOf, percentile } from '../load.ts'
import type { Sent } from '../load.ts'
import { singly } from '../naive/asking.ts'
import { tell } from '../table.ts'

/** A read that pages make: an operation, and arguments for different rows of a kind. */
interface Read {
  readonly name: string
  readonly calls: readonly (readonly [operation: string, values: Arguments])[]
}

const pace = { seconds: 1.2, connections: 8 }

/** Requests a second, p50 and p99 in milliseconds, and bytes of an answer, for each read. */
export async function measureReads(url: string, apiKey: string): Promise<string[][]> {
  const rows: string[][] = []
  for (const { name, calls } of await readsOf(url, apiKey)) {
    tell(name)
    const { origin, pathname } = new URL(url)
    const requests = calls.map(([operation, values]) => sentOf(pathname, operation, values, apiKey))
    const { requests: count, seconds, bytes, times } = await loadOf(origin, requests, pace)
    const figures = [count / seconds, percentile(times, 0.5), percentile(times, 0.99)]
    rows.push([
      name,
      ...figures.map((figure) => figure.toFixed(figure < 20 ? 2 : 0)),
      (bytes / count).toFixed(0),
    ])
  }
  return rows
}

function sentOf(base: string, operation: string, values: Arguments, apiKey: string): Sent {
  const [className, functionName] = operation.split('/')
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ class: className, function: functionName, arguments: values })
  return { method: 'POST', path: base, headers, body }
}

const every = <T>(list: readonly T[], most: number): T[] =>
  list.filter((_, nth) => nth % Math.ceil(list.length / most) === 0)

async function readsOf(url: string, apiKey: string): Promise<Read[]> {
  const transport = httpTransport(url)
  const { once } = singly(transport, apiKey)
  const [division] = rowsIn(await once('division/read', {}))
  const [organization] = rowsIn(await once('organization/read', {}))
  const league = {
    organization_id: keyIn(organization ?? {}, 'organization_id'),
    division_id: keyIn(division ?? {}, 'division_id'),
  }
  const games = rowsIn(await once('game/read', league)).filter((game) => game['boxscore'] === 1)
  await transport.close?.()
  const season = Number(games[0]?.['season'])
  const some = every(games, 100)
  const teams = keysIn(some, 'home_team_id')
  const days = [...new Set(some.map((game) => keyIn(game, 'start_date').slice(0, 10)))]
  const of = <V>(list: readonly V[], operation: string, values: (one: V) => Arguments) =>
    list.map((one) => [operation, values(one)] as const)
  const inSeason = { ...league, season }
  const { organization_id } = league
  return [
    {
      name: 'game/getGames of a day',
      calls: of(days, 'game/getGames', (day) => ({ ...league, start_date: day })),
    },
    {
      name: 'game/getScores of a day',
      calls: of(days, 'game/getScores', (day) => ({ ...league, start_date: day })),
    },
    {
      name: 'game/read by id',
      calls: of(some, 'game/read', (game) => ({ game_id: keyIn(game, 'game_id') })),
    },
    {
      name: 'game/read, a team’s home games',
      calls: of(teams, 'game/read', (team) => ({ season, home_team_id: team })),
    },
    {
      name: 'team/read by 20 ids',
      calls: of(teams, 'team/read', (team) => ({ team_id: [team, ...teams.slice(0, 19)] })),
    },
    { name: 'team/getStats', calls: of(teams, 'team/getStats', (team) => ({ ...inSeason, team_id: team })) },
    {
      name: 'team/getPlayers',
      calls: of(teams, 'team/getPlayers', (team) => ({ organization_id, team_id: team, season })),
    },
    {
      name: 'elo/read, a team’s season',
      calls: of(teams, 'elo/read', (team) => ({ ...inSeason, team_id: team })),
    },
    { name: 'elo/read, all current', calls: of([season], 'elo/read', () => ({ ...inSeason, current: 1 })) },
    {
      name: 'boxscore/readBoxscore of a game',
      calls: of(some, 'boxscore/readBoxscore', (game) => ({
        organization_id,
        game_id: keyIn(game, 'game_id'),
      })),
    },
    {
      name: 'boxscore/readBoxscore, a team’s season',
      calls: of(teams, 'boxscore/readBoxscore', (team) => ({ organization_id, team_id: team, season })),
    },
    {
      name: 'search/search',
      calls: of(['sta', 'smith', 'north', 'jo', 'car', 'will'], 'search/search', (name) => ({
        ...league,
        name,
      })),
    },
    {
      name: 'ranking/download of teams',
      calls: of([season], 'ranking/download', () => ({ ...inSeason, type: 'team' })),
    },
  ]
}
