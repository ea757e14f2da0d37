import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { addKey } from '../src/service/keys/keys.ts'
import { serve } from '../src/service/serve.ts'
import type { Served } from '../src/service/serve.ts'
import { sampleBasketball } from '../src/service/sample/ids.ts'
import { sampleNow } from './league.ts'
import { compareBills, usageOf } from './soak/bills.ts'
import type { Billing, Key } from './soak/bills.ts'
import { startStatline } from './soak/child.ts'
import type { Statline } from './soak/child.ts'
import type { Subjects } from './soak/queries.ts'
import type { State } from './soak/state.ts'
import { fill, traffic } from './soak/traffic.ts'
import type { Counts } from './soak/traffic.ts'
import { rowsIn } from './json.ts'
import type { Json } from './json.ts'
import { tell } from './table.ts'

const heapMegabytes = 256
const keyCount = 2_000
/**
 * Seconds of load: SOAK_SECONDS for a shorter run. Memory is looked at ten times, once a minute by default.
 */
const seconds = Number(process.env['SOAK_SECONDS'] ?? 600)
const looks = 10
/**
 * How much memory may vary after minute two: the cache, full by then, varies between three quarters of its
 * capacity and all of it.
 */
const mostGrowth = 1.25
/** How long connections that are kept alive may outlive the load, in milliseconds. */
const settling = 15_000

/**
 * Puts mixed load on Statline with a small heap, over the sample league with live games. Resolves with
 * whether memory stays flat, sockets and timers return to their baseline, and each key's ledger equals the
 * service's account to the token.
 */
export async function run(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-soak-'))
  const ahead = sampleNow - Date.now()
  const clock = () => Date.now() + ahead
  const service = await serve({ host: '127.0.0.1', port: 0, dataDir: folder }, { clock, sample: true })
  try {
    const subjects = await subjectsOf(service, await addKey(service.database.accounts, clock, 'paid'))
    const keys = await addKeys(service, clock)
    const statline = await startStatline(service.url, ahead, heapMegabytes)
    try {
      return await soak(statline, { service, keys, clock }, subjects)
    } finally {
      await statline.end()
    }
  } finally {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function addKeys({ database }: Served, clock: () => number): Promise<Key[]> {
  tell(`${keyCount} keys`)
  const keys: Key[] = []
  for (let nth = 0; nth < keyCount; nth += 1) keys.push(await addKey(database.accounts, clock, 'paid'))
  return keys
}

async function soak(statline: Statline, billing: Billing, subjects: Subjects): Promise<boolean> {
  // What the process needs once is there before anything is measured.
  await usageOf(statline, 'nobody')
  const before = await settled(statline, null)
  const counts: Counts = { queries: 0, events: 0, subscriptions: 0, gone: 0 }
  const site = { url: statline.url, keys: billing.keys.map(({ key }) => key), subjects }
  await fill(site)
  const load = traffic({ ...site, seconds }, counts)
  const states = await Promise.all([watched(statline), load]).then(([seen]) => seen)
  console.log(
    `${counts.queries} queries, ${counts.gone} given up on, ${counts.subscriptions} subscriptions, ${counts.events} events`,
  )
  const billed = await compareBills(statline, billing)
  const after = await settled(statline, before)
  const flat = isFlat(states)
  const back = after.sockets <= before.sockets && after.timers <= before.timers
  console.log(
    `sockets ${before.sockets} before, ${after.sockets} after; timers ${before.timers} before, ${after.timers} after`,
  )
  if (!flat) console.log('Memory is not flat.')
  if (!back) console.log('Sockets or timers are left over.')
  return flat && back && billed
}

const mebibytes = (bytes: number) => (bytes / 1_048_576).toFixed(0)

async function watched(statline: Statline): Promise<readonly State[]> {
  const states: State[] = []
  console.log('seconds   heap  cache  external    rss  sockets  timers')
  for (let look = 1; look <= looks; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, (seconds * 1_000) / looks))
    const state = await statline.state()
    states.push(state)
    const { heap, cache, external, rss, sockets, timers } = state
    const figures = [
      (look * seconds) / looks,
      mebibytes(heap),
      mebibytes(cache),
      mebibytes(external),
      mebibytes(rss),
      sockets,
      timers,
    ]
    const widths = [7, 7, 7, 10, 7, 9, 8]
    console.log(figures.map((figure, at) => String(figure).padStart(widths[at] ?? 0)).join(''))
  }
  return states
}

/**
 * Whether heap and resident memory stay near what they were after two minutes, or after half of a shorter
 * run.
 */
function isFlat(states: readonly State[]): boolean {
  const filled = Math.min(looks / 2, Math.ceil((120 * looks) / seconds))
  const [first, ...later] = states.slice(filled - 1)
  if (!first) return false
  return (['heap', 'rss'] as const).every(
    (figure) => Math.max(...later.map((state) => state[figure])) <= mostGrowth * first[figure],
  )
}

/**
 * The state once connections that were kept alive are closed: as soon as it is that of before, or after a
 * while.
 */
async function settled(statline: Statline, before: State | null): Promise<State> {
  const until = performance.now() + settling
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const state = await statline.state()
    const isBack = before && state.sockets <= before.sockets && state.timers <= before.timers
    if (isBack || performance.now() > until) return state
  }
}

const leagueOfSample = {
  organization_id: sampleBasketball.organizationId,
  division_id: sampleBasketball.divisionId,
}

/** Five days of the league around the present, with their games and teams, asked of the service itself. */
async function subjectsOf({ url }: Served, { key }: Key): Promise<Subjects> {
  const day = (offset: number) => new Date(sampleNow + offset * 86_400_000).toISOString().slice(0, 10)
  const days = [-2, -1, 0, 1, 2].map(day)
  const games: Json[] = []
  for (const start_date of days) {
    const query = new URLSearchParams({ ...leagueOfSample, start_date }).toString()
    const headers = { 'x-api-key': key }
    const answer = await request(`${url}/game/getGames?${query}`, { headers })
    games.push(...rowsIn((await answer.body.json()) as Json)) // an object of rows
  }
  const column = (name: string) => [...new Set(games.map((game) => String(game[name])))]
  return { days, games: column('game_id'), teams: column('home_team_id') }
}
