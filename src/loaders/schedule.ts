import type { Scope } from '../graph/scope.ts'
import { gameNeeds, planGames } from '../plan/games.ts'
import type { GameNeed, GameOperation, GameSizes } from '../plan/games.ts'
import type { Freshness } from '../rows/freshness.ts'
import { Schedule } from '../rows/game-state.ts'
import { union } from '../plan/want.ts'
import type { Want } from '../plan/want.ts'
import { call } from '../upstream/call.ts'
import type { Answered } from '../upstream/call.ts'
import type { Entry } from '../upstream/entry.ts'
import { UpstreamError } from '../upstream/errors.ts'
import type { CodedError } from '../upstream/errors.ts'
import { byGroup, inStep, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { nameOf, operations } from '../upstream/operations.ts'
import type { Arguments, Operation } from '../upstream/operations.ts'
import type { Request } from '../upstream/request.ts'
import type { World } from '../upstream/world.ts'
import { has } from './game-needs.ts'

/** The games of a league's day, or of a team's season, wanted with what the query wants of them. */
export interface ScheduleAsk extends Ask {
  /** The league, or the team. */
  readonly entry: Entry
  /** The facet that lists them. */
  readonly facet: string
  readonly want: Want
  /** The league, as far as it is known; getGames and getScores need it. */
  readonly league: Pick<Scope, 'organization_id' | 'division_id'>
  /** The other arguments that each call takes: one set for a day, home and away for a season. */
  readonly arguments: readonly Arguments[]
  readonly of: 'day' | 'season'
}

type Asks = readonly [ScheduleAsk, ...ScheduleAsk[]]

/** The source of schedules: for each, the cheapest operations that supply what its askers want, side by side. */
export const schedules: Source<ScheduleAsk> = {
  name: 'schedules',
  fill: (world, asks) =>
    inStep(
      asks,
      byGroup(
        asks,
        ({ what }) => what,
        (group) => fill(world, group),
      ),
    ),
}

/**
 * Whether a schedule is listed, and what its games lack, if anything, is cheapest read by their ids: then every field that wants
 * something asks for it itself, with all others of its kind.
 */
export function isAtHand(world: World, ask: Place, want: Want, now: number): boolean {
  const needs = missing(world, ask, want, now)
  return !needs.has('list') && planGames(needs, sizes(world, ask, want, now)).every(isById)
}

type Place = Pick<ScheduleAsk, 'entry' | 'facet' | 'league' | 'of'>

const isById = (name: GameOperation) => name === 'readGames' || name === 'readOdds'

async function fill(world: World, asks: Asks): Promise<void> {
  const [{ field, request }] = asks
  const want = union(asks.map((ask) => ask.want))
  const needs = missing(world, asks[0], want, request.now)
  const chosen = planGames(needs, sizes(world, asks[0], want, request.now))
  const calls = chosen
    .filter((name) => name !== 'readOdds')
    .flatMap((name): Planned[] =>
      name === 'readGames'
        ? [{ name, arguments: { game_id: withoutColumns(world, asks[0], want, request.now) } }]
        : argumentsOf(asks[0], name).map((values) => ({ name, arguments: values })),
    )
  const settled = await Promise.allSettled(
    calls.map(({ name, arguments: values }) =>
      call(world, { operation: operationOf(name), arguments: values, requests: requestsOf(asks), field }),
    ),
  )
  const outcomes = calls.map(({ name }, index) => ({ name, result: settled[index] }))
  // A key that may not read in bulk finds its games by their scores, once the refusal is known.
  if (!isBulkRefused(world) || !asks[0].league.division_id) return finish(world, asks, outcomes)
  const left = outcomes.filter(({ name }) => name !== 'readSeason')
  return left.length < outcomes.length && !chosen.includes('getScores')
    ? fill(world, asks)
    : finish(world, asks, left)
}

/** `game/read` finds a team's season by the team alone; the joined operations need the league too. */
function argumentsOf({ league, arguments: several }: ScheduleAsk, name: GameOperation): readonly Arguments[] {
  if (name === 'readSeason') return several
  const { organization_id = '', division_id = '' } = league
  return several.map((values) => ({ organization_id, division_id, ...values }))
}

const operationOf = (name: GameOperation): Operation => operations[name === 'readSeason' ? 'readGames' : name]

interface Planned {
  readonly name: GameOperation
  readonly arguments: Arguments
}

interface Outcome {
  readonly name: GameOperation
  readonly result: PromiseSettledResult<Answered> | undefined
}

interface List {
  readonly keys: readonly string[]
  readonly boughtAt: number
}

/** Keeps the list that the answers agree on; what a failed call would have brought fails for its askers alone. */
function finish(world: World, asks: Asks, outcomes: readonly Outcome[]): void {
  const lists = new Map<GameOperation, List | null>()
  let failure: CodedError | undefined
  for (const { name, result } of outcomes) {
    if (name === 'readGames') continue
    const before = lists.get(name)
    if (result?.status !== 'fulfilled') {
      lists.set(name, null)
      failure ??= result?.reason
    } else if (before !== null)
      lists.set(name, {
        keys: [...(before?.keys ?? []), ...result.value.keys],
        boughtAt: result.value.boughtAt,
      })
  }
  const whole = [...lists.values()].find((list) => list !== null)
  if (lists.size > 0 && !whole) throw failure ?? new UpstreamError('The schedule could not be read.')
  if (whole) keepList(world, asks[0], [...new Set(whole.keys)], whole.boughtAt)
  for (const { name, result } of outcomes)
    if (result?.status === 'rejected') spread(asks, name, listed(asks[0]) ?? [], result.reason)
}

const listed = ({ entry, facet }: Pick<ScheduleAsk, 'entry' | 'facet'>) =>
  entry.stale(facet) as readonly string[] | undefined // put by finish() alone

function spread(asks: Asks, name: GameOperation, games: readonly string[], error: CodedError): void {
  const requests: ReadonlySet<Request> = new Set(requestsOf(asks))
  // Who wants the odds' history has the current odds from it.
  const current = asks.some(({ want }) => want.facets.has('history')) ? [] : ['lines %s current']
  const lost = name === 'getScores' ? ['lines %s prediction', ...current] : ['game %s']
  for (const request of requests)
    for (const game of games) for (const what of lost) request.fail(what.replace('%s', game), error)
}

/** Time zones: when a day is over wherever it is played. */
const dayIsOver = 2 * 86_400_000

/** A schedule is kept once all its games, or its season, are over; till then it moves from day to day. */
function keepList(world: World, ask: ScheduleAsk, games: readonly string[], boughtAt: number): void {
  const [values = {}] = ask.arguments
  const freshness = ask.of === 'day' ? dayOf(world, games, values) : seasonOf(world, ask, games, values)
  ask.entry.putFacet(ask.facet, games, freshness, boughtAt)
}

function dayOf(world: World, games: readonly string[], { start_date }: Arguments): Freshness {
  const date = Date.parse(String(start_date))
  const states = games.map((game) => world.game(game))
  return new Schedule(states, world.fresh.freshFor, Number.isNaN(date) ? null : date + dayIsOver)
}

/** A team's games are spread over all its season: the last of them tells when it ended. */
function seasonOf(
  world: World,
  ask: ScheduleAsk,
  games: readonly string[],
  { season }: Arguments,
): Freshness {
  const { organization_id } = ask.league
  const starts = games
    .map((game) => world.game(game).start ?? Number.NaN)
    .filter((start) => !Number.isNaN(start))
  const isWhole = starts.length === games.length && games.length > 1
  const now = world.upstream.settings.clock()
  if (isWhole)
    for (const end of [Math.min(...starts), Math.max(...starts)])
      world.fresh.seasons.note({ organization_id, season }, new Date(end).toISOString(), 'series', now)
  return world.fresh.ofSeason(organization_id, season)
}

/** What is missing of a schedule: everything where it is not listed, and else what some game of it lacks. */
function missing(world: World, { entry, facet }: Place, want: Want, now: number): ReadonlySet<GameNeed> {
  const needs = new Set(gameNeeds(want))
  const games = listed({ entry, facet })
  if (!games) return needs
  if (entry.facet(facet, now) !== undefined) needs.delete('list')
  for (const need of needs)
    if (need !== 'list' && games.every((game) => has(world, game, need, want, now))) needs.delete(need)
  return needs
}

function withoutColumns(world: World, ask: Place, want: Want, now: number): readonly string[] {
  const games = listed(ask) ?? []
  return games.filter(
    (game) => !has(world, game, 'columns', want, now) || !has(world, game, 'score', want, now),
  )
}

/** Games in a list that nobody has seen yet; operations are compared by the same number. */
const typical = 30

function sizes(world: World, ask: Place, want: Want, now: number): GameSizes {
  const { estimates } = world
  const games = listed(ask)
  const size = (name: GameOperation, rows: number) => rows * estimates.bytesPerRow(operationOf(name))
  const count = games?.length ?? typical
  const { organization_id, division_id } = ask.league
  const hasLeague = organization_id !== undefined && division_id !== undefined
  return {
    ...(hasLeague && { getScores: size('getScores', count) }),
    ...(ask.of === 'day' && { getGames: size('getGames', count) }),
    ...(ask.of === 'season' && !isBulkRefused(world) && { readSeason: size('readSeason', count) }),
    ...(games && { readGames: size('readGames', withoutColumns(world, ask, want, now).length) }),
    // Read by id once the list is there, odds wait for no list only where it is fresh.
    ...(games &&
      ask.entry.facet(ask.facet, now) !== undefined && { readOdds: oddsSize(world, games, want, now) }),
  }
}

const isBulkRefused = (world: World) => world.refusals.has(nameOf(operations.readGames))

function oddsSize(world: World, games: readonly string[], want: Want, now: number): number {
  const lacking = games.filter((game) => !has(world, game, 'current', want, now)).length
  const { estimates } = world
  return (
    lacking * estimates.bytesPerRow(operations.readOdds) * estimates.rowsPerId(operations.readOdds, 'game_id')
  )
}
