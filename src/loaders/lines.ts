import type { Scope } from '../graph/scope.ts'
import { planOdds } from '../plan/odds.ts'
import type { OddsSizes, OddsWanted } from '../plan/odds.ts'
import { bytesPerToken } from '../money/price.ts'
import type { GameState } from '../rows/game-state.ts'
import { call } from '../upstream/call.ts'
import type { Answered } from '../upstream/call.ts'
import { AccessDeniedError } from '../upstream/errors.ts'
import { load, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { nameOf, operations } from '../upstream/operations.ts'
import { loadColumns } from '../upstream/read.ts'
import type { World } from '../upstream/world.ts'
import { leagueKey, listedOn } from './days.ts'

/** A game's current odds, their history, or its prediction, wanted by the game's key. */
export interface LineAsk extends Ask {
  readonly key: string
  readonly kind: 'current' | 'history' | 'prediction'
  readonly scope: Scope
}

type Asks = readonly [LineAsk, ...LineAsk[]]

/** The source of predictions and odds of games that are known by id, at the least bill for all that ask at once. */
export const lines: Source<LineAsk> = {
  name: 'lines',
  fill(world, asks) {
    const plan = planOdds(wanted(world, asks), sizes(world, asks))
    const odds = new Set(plan.odds)
    const [first, ...others] = asks.filter(({ key, kind }) => odds.has(key) && kind !== 'prediction')
    const read = first && readOdds(world, plan.odds, [first, ...others])
    const days = new Map(plan.days.map((day) => [day, scoresOf(world, day, asks)] as const))
    return asks.map((ask) => {
      if (read && odds.has(ask.key) && ask.kind !== 'prediction') return allowed(world, ask, read)
      return days.get(dayOf(world, ask) ?? '') ?? afterItsRow(world, ask)
    })
  },
}

const oddsRefused = (world: World) => world.refusals.has(nameOf(operations.readOdds))

function wanted(world: World, asks: readonly LineAsk[]): readonly OddsWanted[] {
  const games = new Map<string, OddsWanted>()
  for (const ask of asks) {
    const before = games.get(ask.key)
    const current = ask.kind === 'current' || (before?.current ?? false)
    const history = ask.kind === 'history' || (before?.history ?? false)
    // Where odds/read is refused, a game's scores are the only way to its current odds.
    const scores = ask.kind === 'prediction' || (ask.kind === 'current' && oddsRefused(world))
    const prediction = scores || (before?.prediction ?? false)
    games.set(ask.key, { game: ask.key, day: dayOf(world, ask), current, history, prediction })
  }
  return [...games.values()]
}

/** The league and the day that a game is known to be played in and on; null where its row is not at hand. */
function dayOf(world: World, ask: LineAsk): string | null {
  const entry = world.rows.entry('game', ask.key)
  const column = (name: string) => entry.column(name, ask.request.now)
  const start = column('start_date')
  if (typeof start !== 'string') return null
  const organization = column('organization_id') ?? ask.scope.organization_id
  const division = column('division_id') ?? ask.scope.division_id
  return `${organization} ${division} ${start.slice(0, 10)}`
}

function sizes(world: World, asks: readonly LineAsk[]): OddsSizes {
  const { estimates } = world
  const scoresOf = (games: number) => games * estimates.bytesPerRow(operations.getScores)
  const usual = estimates.rowsPerId(operations.getScores, 'start_date')
  return {
    oddsOfGame:
      estimates.bytesPerRow(operations.readOdds) * estimates.rowsPerId(operations.readOdds, 'game_id'),
    scoresOfAnyDay: scoresOf(usual),
    scoresOfDay(name) {
      const [organization_id, division_id, date = ''] = name.split(' ')
      const league = leagueKey({ organization_id, division_id })
      const asked = asks.filter((ask) => dayOf(world, ask) === name).length
      return scoresOf(Math.max(listedOn(world, league, date)?.length ?? usual, asked))
    },
    rowOf: (game) =>
      world.rowsInFlight.has(`game ${game}`) ? 0 : estimates.bytesPerRow(operations.readGames),
    bytesPerToken,
  }
}

async function readOdds(world: World, games: readonly string[], asks: Asks): Promise<void> {
  await call(world, {
    operation: operations.readOdds,
    arguments: { game_id: games },
    requests: requestsOf(asks),
    field: asks[0].field,
  }).then((answer) => putOdds(world, games, answer))
}

/** Each game's odds as its facets: their history, oldest first, and the current pre-game and live rows. */
function putOdds(world: World, games: readonly string[], { keys, boughtAt }: Answered): void {
  const rows = keys.map(
    (key) => ({ key, ...world.rows.entry('odds', key).columns(boughtAt - 1) }) as Movement,
  )
  for (const game of games) {
    const own = rows.filter(({ game_id }) => game_id === game)
    const history = own.toSorted((a, b) => (String(a.date_of_entry) < String(b.date_of_entry) ? -1 : 1))
    const current = history.filter((row) => Number(row.current) === 1 && Number(row.deleted) !== 1)
    const state = world.game(game)
    learnAge(state, history, boughtAt)
    const entry = world.rows.entry('game', game)
    entry.putFacet(
      'history',
      history.map(({ key }) => key),
      state,
      boughtAt,
    )
    entry.putFacet('pre', current.findLast(({ live }) => Number(live) !== 1)?.key ?? null, state, boughtAt)
    entry.putFacet('live', current.findLast(({ live }) => Number(live) === 1)?.key ?? null, state, boughtAt)
  }
}

/** How old the newest line is tells whether the game is over, where no status does. */
function learnAge(state: GameState, history: readonly Movement[], boughtAt: number): void {
  const newest = history.at(-1)
  const date = Date.parse(String(newest?.date_of_entry))
  if (newest && !Number.isNaN(date)) state.learnLines(date, Number(newest.live) === 1, boughtAt)
}

/** What is read of an odds row here, in whatever types it came. */
interface Movement {
  readonly key: string
  readonly game_id?: unknown
  readonly date_of_entry?: unknown
  readonly current?: unknown
  readonly live?: unknown
  readonly deleted?: unknown
}

async function scoresOf(world: World, day: string, asks: readonly LineAsk[]): Promise<void> {
  const [organization_id = '', division_id = '', start_date = ''] = day.split(' ')
  const [first, ...others] = asks.filter((ask) => dayOf(world, ask) === day)
  if (!first) return
  const { keys, boughtAt } = await call(world, {
    operation: operations.getScores,
    arguments: { organization_id, division_id, start_date },
    requests: requestsOf([first, ...others]),
    field: first.field,
  })
  const there = new Set(keys)
  for (const { key } of [first, ...others]) if (!there.has(key)) putNothing(world, key, boughtAt)
}

function putNothing(world: World, game: string, boughtAt: number): void {
  const state = world.game(game)
  for (const name of ['prediction', 'pre', 'live'])
    world.rows.entry('game', game).putFacet(name, null, state, boughtAt)
}

/** A key that may not read odds in bulk still gets current odds, from the scores of the game's day. */
async function allowed(world: World, ask: LineAsk, read: Promise<void>): Promise<void> {
  try {
    await read
  } catch (error) {
    if (!(error instanceof AccessDeniedError) || ask.kind === 'history') throw error
    await lines.fill(world, [ask])[0]
  }
}

/** The scores of a day need the day, which the game's row tells. */
async function afterItsRow(world: World, ask: LineAsk): Promise<void> {
  await loadColumns(ask.request, 'game', ask.key, ['start_date'], ask.field)
  if (dayOf(world, ask) === null) putNothing(world, ask.key, world.upstream.moment())
  else await load(lines, ask)
}
