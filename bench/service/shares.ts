import { isDeepStrictEqual } from 'node:util'
import { request } from 'undici'
import { start } from '../child.ts'
import type { Child } from '../child.ts'
import { keyIn, rowsIn } from '../json.ts'
import type { Json } from '../json.ts'
import { loadOf } from '../load.ts'
import type { Sent } from '../load.ts'
import { tell } from '../table.ts'

/** The least share of a raw server that a read may have: raw CPU time of a request ÷ the service's. */
interface Bounds {
  readonly byId: number
  readonly joined: number
}

interface Read {
  readonly name: string
  readonly kind: keyof Bounds
  /** Paths beneath the base address, in turn. */
  readonly paths: readonly string[]
}

const pace = { seconds: 0.4, connections: 8 }
const rounds = 7

/**
 * The CPU time of each read beside that of a raw server over the same database, in turns, so that whatever
 * else the machine does meets both. Medians of several rounds. Resolves with rows to print, and whether all
 * are within the bounds.
 *
 * @param place the folder of the sample league, and a PostgreSQL that holds it
 */
export async function measureShares(place: readonly string[], bounds: Bounds) {
  const service = await start('service/serving.js', ['still', ...place])
  const raw = await start('service/raw.js', [place[1] ?? `${place[0]}/sample`])
  try {
    const rows: string[][] = []
    let good = true
    const reads = await readsOf(service)
    // Both are warm before the first read is measured.
    for (const { paths } of reads) for (const child of [service, raw]) await cpuOf(child, paths)
    for (const read of reads) {
      tell(read.name)
      const bytes = await checkAlike(service, raw, read)
      const { own, other, share } = await measure(service, raw, read)
      good &&= share >= bounds[read.kind]
      const figures = [own.toFixed(0), other.toFixed(0), share.toFixed(2), String(bounds[read.kind])]
      rows.push([read.name, String(bytes), ...figures])
    }
    return { rows, good }
  } finally {
    await Promise.all([service.end(), raw.end()])
  }
}

/** Both have to give the same answers, whatever the order of their keys. */
async function checkAlike(service: Child, raw: Child, { name, paths }: Read): Promise<number> {
  let bytes = 0
  for (const path of paths) {
    const own = await bodyOf(service, path)
    bytes = Math.max(bytes, own.length)
    if (!isDeepStrictEqual(JSON.parse(own), JSON.parse(await bodyOf(raw, path))))
      throw new Error(`${name}: the raw server answers ${path} in another way.`)
  }
  return bytes
}

async function bodyOf({ url, apiKey }: Child, path: string): Promise<string> {
  const { body } = await request(`${url}/${path}`, { headers: { 'x-api-key': apiKey } })
  return body.text()
}

/**
 * Microseconds of CPU for a request, the service's and the raw server's, and the share of each round:
 * medians.
 */
async function measure(service: Child, raw: Child, { paths }: Read) {
  const times: [number[], number[]] = [[], []]
  for (let round = -1; round < rounds; round += 1)
    for (const [nth, child] of [service, raw].entries()) {
      const took = await cpuOf(child, paths)
      if (round >= 0) times[nth]?.push(took) // the first one warms up
    }
  const shares = times[0].map((own, nth) => (times[1][nth] ?? 0) / own)
  return { own: median(times[0]), other: median(times[1]), share: median(shares) }
}

async function cpuOf(child: Child, paths: readonly string[]): Promise<number> {
  const { origin, pathname } = new URL(child.url)
  const base = pathname === '/' ? '' : pathname
  const requests = paths.map((path): Sent => ({
    method: 'GET',
    path: `${base}/${path}`,
    headers: { 'x-api-key': child.apiKey },
  }))
  const before = await child.cpu()
  const load = await loadOf(origin, requests, pace)
  return (1000 * ((await child.cpu()) - before)) / load.requests
}

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0

const some = <T>(list: readonly T[], most = 100): T[] =>
  list.filter((_, nth) => nth % Math.ceil(list.length / most) === 0)

const query = (given: Record<string, string | number | readonly string[]>): string =>
  new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((one: string) => [name, one]) : [[name, String(value)]],
    ),
  ).toString()

async function readsOf(service: Child): Promise<Read[]> {
  const rowsOf = async (path: string) => rowsIn(JSON.parse(await bodyOf(service, path)) as Json)
  const organization = (await rowsOf('organization/read')).find((row) => /basket/i.test(String(row['name'])))
  const organization_id = keyIn(organization ?? {}, 'organization_id')
  const games = (await rowsOf(`game/read?${query({ organization_id })}`)).filter(
    (game) => game['boxscore'] === 1,
  )
  const [latest] = games.toSorted((one, other) => Number(other['season']) - Number(one['season']))
  const division_id = keyIn(latest ?? {}, 'division_id')
  const season = Number(latest?.['season'])
  const played = some(games.filter((game) => game['season'] === season))
  const ids = played.map((game) => keyIn(game, 'game_id'))
  const teams = [...new Set(played.map((game) => keyIn(game, 'home_team_id')))]
  const days = [...new Set(played.map((game) => keyIn(game, 'start_date').slice(0, 10)))]
  const place = { organization_id, division_id }
  const roster = await rowsOf(
    `team/getPlayers?${query({ organization_id, team_id: teams[0] ?? '', season })}`,
  )
  const players = roster.map((row) => keyIn(row, 'player_id'))
  const read = (kind: Read['kind'], name: string, paths: readonly string[]): Read => ({ kind, name, paths })
  return [
    read(
      'byId',
      'game/read by id',
      ids.map((game_id) => `game/read?${query({ game_id })}`),
    ),
    read(
      'byId',
      'team/read by id',
      teams.map((team_id) => `team/read?${query({ team_id })}`),
    ),
    read('byId', 'team/read by 20 ids', [`team/read?${query({ team_id: teams.slice(0, 20) })}`]),
    read(
      'byId',
      'player/read by id',
      players.map((player_id) => `player/read?${query({ player_id })}`),
    ),
    read(
      'byId',
      'odds/read of a game',
      ids.map((game_id) => `odds/read?${query({ game_id })}`),
    ),
    read(
      'byId',
      'boxscore/readBoxscore of a game',
      ids.map((game_id) => `boxscore/readBoxscore?${query({ organization_id, game_id })}`),
    ),
    read(
      'joined',
      'game/getGames of a day',
      days.map((start_date) => `game/getGames?${query({ ...place, start_date })}`),
    ),
    read(
      'joined',
      'game/getScores of a day',
      days.map((start_date) => `game/getScores?${query({ ...place, start_date })}`),
    ),
    read(
      'joined',
      'team/getStats',
      teams.map((team_id) => `team/getStats?${query({ ...place, team_id, season })}`),
    ),
    read(
      'joined',
      'team/getPlayers',
      teams.map((team_id) => `team/getPlayers?${query({ organization_id, team_id, season })}`),
    ),
    read('joined', 'elo/read, all current', [`elo/read?${query({ ...place, season, current: 1 })}`]),
  ]
}
