import { filterName } from '../capabilities/questions/filters.ts'
import { Loader } from '../graph/loader.ts'
import { byGroup, inStep, requestsOf } from '../graph/ask-groups.ts'
import type { Asks } from '../graph/ask-groups.ts'
import type { Split, Wanted } from '../graph/ask.ts'
import type { Place } from '../graph/relation.ts'
import { failRow } from '../graph/row-loader.ts'
import type { Scope } from '../graph/scope.ts'
import { gameNeeds, planGames } from '../plan/games.ts'
import type { GameNeed, GameOperation, GameSizes } from '../plan/games.ts'
import type { Slot } from '../rows/slot.ts'
import { union } from '../plan/selection.ts'
import type { Selection } from '../plan/selection.ts'
import { call } from '../upstream/call.ts'
import type { Answered } from '../upstream/call.ts'
import type { Entry } from '../upstream/entry.ts'
import { UpstreamError } from '../upstream/errors.ts'
import type { CodedError } from '../upstream/errors.ts'
import { nameOf, operations } from '../specification/operations.ts'
import type { Arguments, Operation } from '../specification/operations.ts'
import type { Request } from '../upstream/request.ts'
import type { Account } from '../upstream/account.ts'
import { has } from './game-needs.ts'
import { failLine } from './lines.ts'
import { joinSeason } from './schedule-slots.ts'
import type { Moment } from '../rows/moment.ts'

type Keys = readonly string[]

/** The games of a league's day, or of a team's season, wanted with what the query wants of them. */
export interface ScheduleWanted extends Wanted {
  /** The league, or the team. */
  readonly owner: Entry
  /** Where the keys of the games are kept. */
  readonly slot: Slot<Keys>
  readonly selection: Selection
  /** The league, as far as it is known; getGames and getScores need it. */
  readonly league: Pick<Scope, 'organization_id' | 'division_id'>
  /** The other arguments that each call takes: one set for a day, home and away for a season. */
  readonly arguments: readonly Arguments[]
  /** The season, where it is a team's; undefined for a day. */
  readonly season?: Scope & { readonly season: number }
}

type ScheduleAsks = Asks<ScheduleWanted>
type Games = Split<ScheduleWanted, Keys>

/** Loads schedules: for each, the cheapest operations that supply what its askers want, side by side. */
export const schedules = new Loader<ScheduleWanted, Keys>('schedules', (account, asks) =>
  inStep(
    asks,
    byGroup(
      asks,
      ({ what }) => what,
      (group) => read(account, group),
    ),
  ),
)

/** Where a schedule is kept, and whether that is enough for what a query wants of its games. */
export function scheduleAt(
  wanted: ScheduleWanted,
  scope: Scope,
  { account, now }: Request,
): Place<ScheduleWanted, Keys> {
  const { owner, slot, season } = wanted
  if (season && slot.read(owner, now) === undefined) joinSeason(owner, season, now)
  return { owner, slot, wanted, scope, isEnough: () => isAtHand(account, wanted, now) }
}

/**
 * Whether a schedule is listed, and what its games lack, if anything, is cheapest read by their ids: then
 * every field that wants something asks for it itself, with all others of its kind.
 */
function isAtHand(account: Account, wanted: ScheduleWanted, now: Moment): boolean {
  const needs = missing(account, wanted, now)
  if (needs.size === 0) return true
  return !needs.has('list') && planGames(needs, sizes(account, wanted, now)).every(isById)
}

const isById = (name: GameOperation) => name === 'readGames' || name === 'readOdds'

async function read(account: Account, asks: ScheduleAsks): Promise<Games> {
  const [{ field, request, wanted: first }] = asks
  const { now } = request
  const wanted = { ...first, selection: union(asks.map((ask) => ask.wanted.selection)) }
  const needs = missing(account, wanted, now)
  const chosen = planGames(needs, sizes(account, wanted, now))
  const calls = chosen
    .filter((name) => name !== 'readOdds')
    .flatMap((name): Planned[] =>
      name === 'readGames'
        ? [{ name, arguments: { game_id: withoutColumns(account, wanted, now) } }]
        : argumentsOf(wanted, name).map((values) => ({ name, arguments: values })),
    )
  const settled = await Promise.allSettled(
    calls.map(({ name, arguments: values }) =>
      call(account, { operation: operationOf(name), arguments: values, requests: requestsOf(asks), field }),
    ),
  )
  const outcomes = calls.map(({ name }, index) => ({ name, result: settled[index] }))
  // A key that may not read in bulk finds its games by their scores, once the refusal is known; so does one
  // whose service refuses the filter.
  if (readsSeasons(account) || !wanted.league.division_id) return finish(asks, outcomes)
  const left = outcomes.filter(({ name, result }) => name !== 'readSeason' || result?.status === 'fulfilled')
  return left.length < outcomes.length && !chosen.includes('getScores')
    ? read(account, asks)
    : finish(asks, left)
}

/** `game/read` finds a team's season by the team alone; the joined operations need the league too. */
function argumentsOf(
  { league, arguments: several }: ScheduleWanted,
  name: GameOperation,
): readonly Arguments[] {
  if (name === 'readSeason') return several
  const { organization_id = '', division_id = '' } = league
  return several.map((values) => ({ organization_id, division_id, ...values }))
}

/**
 * Waits for the reads of a team's games that are under way: what they bring is not read by its id beside
 * them.
 */
export async function seasonsUnderWay({ inFlight }: Account, team: string): Promise<void> {
  const reads = [...inFlight.values()].filter(
    ({ operation, arguments: { home_team_id, away_team_id } }) =>
      operation === operations.readGames && (home_team_id === team || away_team_id === team),
  )
  await Promise.allSettled(reads.map(({ answer }) => answer))
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

/**
 * Answers with the list that the calls have brought; what a failed call would have brought fails for its
 * askers alone.
 */
function finish(asks: ScheduleAsks, outcomes: readonly Outcome[]): Games {
  const listed = new Map<GameOperation, boolean>()
  let failure: CodedError | undefined
  for (const { name, result } of outcomes) {
    if (name === 'readGames') continue
    const isThere = result?.status === 'fulfilled'
    if (result?.status === 'rejected') failure ??= result.reason
    listed.set(name, isThere && (listed.get(name) ?? true))
  }
  if (listed.size > 0 && ![...listed.values()].includes(true))
    throw failure ?? new UpstreamError('The schedule could not be read.')
  const [{ wanted, request }] = asks
  if (wanted.season) joinSeason(wanted.owner, wanted.season, request.now)
  const games = lastListed(wanted) ?? []
  for (const { name, result } of outcomes)
    if (result?.status === 'rejected') spread(asks, name, games, result.reason)
  return () => games
}

const lastListed = ({ owner, slot }: ScheduleWanted): Keys | undefined => slot.stale(owner)

/** Notes for each game what a failed call would have brought, so that no field asks for it again. */
function spread(asks: ScheduleAsks, name: GameOperation, games: Keys, error: CodedError): void {
  // A query that wants the odds' history has the current odds from it.
  const hasHistory = asks.some(({ wanted }) => wanted.selection.relations.has('history'))
  for (const request of new Set(requestsOf(asks)))
    for (const game of games) {
      if (name !== 'getScores') failRow(request, 'game', game, error)
      else failLine(request, game, 'prediction', error)
      if (name === 'getScores' && !hasHistory) failLine(request, game, 'pre', error)
    }
}

/** What is missing of a schedule: everything where it is not listed, and else what some game of it lacks. */
function missing(account: Account, wanted: ScheduleWanted, now: Moment): ReadonlySet<GameNeed> {
  const { owner, slot, selection } = wanted
  const needs = new Set(gameNeeds(selection))
  const games = lastListed(wanted)
  if (!games) return needs
  if (slot.read(owner, now) !== undefined) needs.delete('list')
  const entries = games.map((game) => account.rows.entry('game', game))
  for (const need of needs)
    if (need !== 'list' && entries.every((game) => has(account, game, need, selection, now)))
      needs.delete(need)
  return needs
}

function withoutColumns(account: Account, wanted: ScheduleWanted, now: Moment): Keys {
  const { selection } = wanted
  const lacks = (game: Entry) =>
    !has(account, game, 'columns', selection, now) || !has(account, game, 'score', selection, now)
  return (lastListed(wanted) ?? []).filter((game) => lacks(account.rows.entry('game', game)))
}

/** Games in a list that nobody has seen yet; operations are compared by the same number. */
const typical = 30

function sizes(account: Account, wanted: ScheduleWanted, now: Moment): GameSizes {
  const { estimates } = account
  const { owner, slot, selection, season } = wanted
  const games = lastListed(wanted)
  const size = (name: GameOperation, rows: number) => rows * estimates.bytesPerRow(operationOf(name))
  const count = games?.length ?? typical
  const { organization_id, division_id } = wanted.league
  const hasLeague = organization_id !== undefined && division_id !== undefined
  return {
    ...(hasLeague && { getScores: size('getScores', count) }),
    ...(!season && { getGames: size('getGames', count) }),
    ...(season && readsSeasons(account) && { readSeason: size('readSeason', count) }),
    ...(games && { readGames: size('readGames', withoutColumns(account, wanted, now).length) }),
    // Read by id once the list is there, odds wait for no list only where it is fresh.
    ...(games &&
      slot.read(owner, now) !== undefined && { readOdds: oddsSize(account, games, selection, now) }),
  }
}

const seasonFilters = ['season', 'home_team_id', 'away_team_id'].map((name) =>
  filterName(operations.readGames, name),
)

/**
 * Whether a team's season can be read: the key's plan allows it, and the service finds games by team and
 * season.
 */
function readsSeasons({ refusals, upstream: { capabilities } }: Account): boolean {
  const { ignored, refused } = capabilities.choices
  const isFound =
    ignored.size + refused.size === 0 || !seasonFilters.some((name) => ignored.has(name) || refused.has(name))
  return isFound && !refusals.has(nameOf(operations.readGames))
}

function oddsSize(account: Account, games: readonly string[], selection: Selection, now: Moment): number {
  const lacking = games.filter(
    (game) => !has(account, account.rows.entry('game', game), 'current', selection, now),
  ).length
  const { estimates } = account
  return (
    lacking * estimates.bytesPerRow(operations.readOdds) * estimates.rowsPerId(operations.readOdds, 'game_id')
  )
}
