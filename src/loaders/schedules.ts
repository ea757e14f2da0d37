import { filterName } from '../capabilities/questions/filters.ts'
import { Loader } from '../loading/loader.ts'
import { byWhat, requestsOf } from '../loading/ask-groups.ts'
import type { Asks } from '../loading/ask-groups.ts'
import type { Wanted } from '../loading/ask.ts'
import type { Place } from '../graph/place.ts'
import { failRow } from '../loading/row-loader.ts'
import { atTurnsEnd } from '../loading/turn.ts'
import type { Scope } from '../graph/scope.ts'
import { bytesPerToken } from '../money/price.ts'
import { gameNeeds, isListAlone, planGames, supplies } from '../plan/games.ts'
import type { GameNeed, GameOperation, GameSizes } from '../plan/games.ts'
import type { Keys, Slot } from '../rows/slot.ts'
import { union } from '../plan/selection.ts'
import type { Selection } from '../plan/selection.ts'
import { call } from '../calls/call.ts'
import type { Answered } from '../wire/answer.ts'
import type { Entry } from '../rows/entry.ts'
import { AccessDeniedError, UpstreamError } from '../errors/errors.ts'
import type { CodedError } from '../errors/errors.ts'
import { callName, nameOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'
import { currentSeasonPending } from './current-season.ts'
import { has } from './game-needs.ts'
import { failLine } from './lines.ts'
import { joinSeason, keptSide } from './schedule-slots.ts'
import { timeOf } from '../rows/moment.ts'
import type { Moment } from '../rows/moment.ts'

/** A schedule to load: a league's day or a team's season, and the selection on its games. */
export interface ScheduleWanted extends Wanted {
  /** The entry of the league or the team. */
  readonly owner: Entry
  /** Where the games' keys are stored. */
  readonly slot: Slot<Keys>
  readonly selection: Selection
  /** The league, as far as it is known. getGames and getScores need it. */
  readonly league: Pick<Scope, 'organization_id' | 'division_id'>
  /** The other arguments of each call: one set for a day, two (home and away) for a season. */
  readonly arguments: readonly Arguments[]
  /** Whether all columns have to come with the list, because the fields read them game by game. */
  readonly isComplete?: boolean
  /** The season of a team's schedule; undefined for a day. */
  readonly season?: Scope & { readonly season: number }
}

type ScheduleAsks = Asks<ScheduleWanted>
type ScheduleAsk = ScheduleAsks[number]

/** Loads schedules: for each, the cheapest operations for everything that is requested, in parallel. */
export const schedules = new Loader<ScheduleWanted, Keys>(
  'schedules',
  (account, asks) => byWhat(asks, (group) => read(account, group)),
  { isAwaited: true, isReleasedTogether: true },
)

/** Where a schedule is stored, and whether that is enough for a query's selection. */
export function scheduleAt(
  wanted: ScheduleWanted,
  scope: Scope,
  { account, now }: ClientRequest,
): Place<ScheduleWanted, Keys> {
  const { owner, slot, season } = wanted
  const derive = (moment: Moment) => {
    if (season && slot.read(owner, timeOf(moment)) === undefined) joinSeason(owner, season, moment)
  }
  return { owner, slot, wanted, scope, derive, isEnough: () => isCached(account, wanted, now) }
}

/**
 * Whether the list is known, and anything missing of its games is cheapest to read by id. Then each field
 * loads what it needs, together with all fields of its kind.
 */
function isCached(account: Account, wanted: ScheduleWanted, now: Moment): boolean {
  const needs = missing(account, wanted, now)
  if (needs.size === 0) return true
  return !needs.has('list') && planGames(needs, sizes(account, wanted, needs, now)).every(isById)
}

const isById = (name: GameOperation) => name === 'readGames' || name === 'readOdds'

async function read(account: Account, asks: ScheduleAsks): Promise<void> {
  const [{ field, request, wanted: first }] = asks
  const { now } = request
  const wanted = together(first, asks)
  const needs = missing(account, wanted, now)
  const { readGames, ...others } = sizes(account, wanted, needs, now)
  const byId = readGames !== undefined && mayReadById(account, wanted) && { readGames }
  const chosen = planGames(needs, { ...others, ...byId })
  const calls = chosen
    .filter((name) => name !== 'readOdds')
    .flatMap((name): Planned[] =>
      name === 'readGames'
        ? [{ name, arguments: { game_id: withoutColumns(account, wanted, now) } }]
        : argumentsOf(wanted, name).map((values) => ({ name, arguments: values })),
    )
  const keptOf = (planned: Planned) => keptGames(account, wanted, planned, needs, now)
  const results = await Promise.allSettled(
    calls.map((planned) => {
      const keys = keptOf(planned)
      if (keys) return { keys }
      const { name, arguments: values } = planned
      return call(account, {
        operation: operationOf(name),
        arguments: values,
        requests: requestsOf(asks),
        field,
      })
    }),
  )
  const outcomes = calls.map(({ name }, index) => ({ name, result: results[index] }))
  if (chosen.includes('readGames') && !mayReadById(account, wanted)) return read(account, asks)
  // If bulk reads or the filter turn out to be refused, the games are found by their scores.
  if (readsSeasons(account) || !wanted.league.division_id) return finish(asks, outcomes)
  const left = outcomes.filter(({ name, result }) => name !== 'readSeason' || result?.status === 'fulfilled')
  return left.length < outcomes.length && !chosen.includes('getScores')
    ? read(account, asks)
    : finish(asks, left)
}

/** What all asks for one schedule want. */
const together = (schedule: ScheduleWanted, asks: readonly ScheduleAsk[]): ScheduleWanted => ({
  ...schedule,
  selection: union(asks.map((ask) => ask.wanted.selection)),
  isComplete: asks.some((ask) => ask.wanted.isComplete),
})

/** `game/read` finds a team's season by the team alone; the joined operations also need the league. */
function argumentsOf(
  { league, arguments: several }: ScheduleWanted,
  name: GameOperation,
): readonly Arguments[] {
  if (name === 'readSeason') return several
  const { organization_id = '', division_id = '' } = league
  return several.map((values) => ({ organization_id, division_id, ...values }))
}

/**
 * Waits for pending reads of a team's games, here or by another instance for the same query, so that what they
 * bring is not read by id as well. Games of the current season are read once that season is known.
 */
export async function seasonsUnderWay(
  request: ClientRequest,
  team: string,
  { organization_id, division_id }: Scope,
): Promise<void> {
  if (organization_id !== undefined) await currentSeasonPending({ organization_id, division_id }, request)
  // What is asked now is sent at the end of this turn or the next.
  for (let turns = 0; turns < 2; turns += 1) await atTurnsEnd(request, () => {})
  await readsPending(request, team)
}

/** Resolves when reads of a team's games of a season, or of any, have ended; undefined if there are none. */
export function readsPending(
  request: ClientRequest,
  team: string,
  season?: number,
): Promise<unknown> | undefined {
  const shared = [...request.account.shared].filter(([what]) => what.startsWith(`${team} `))
  const reads = readsInFlight(request, team, season)
  if (shared.length === 0) return reads.length > 0 ? Promise.allSettled(reads) : undefined
  return Promise.allSettled([...reads, ...shared.map(([, come]) => come)])
}

/** Answers to come with a team's games of a season, or of any. The request waits for them from now on. */
const readsInFlight = (request: ClientRequest, team: string, season?: number): readonly Promise<unknown>[] =>
  [...request.account.inFlight.values()]
    .filter(
      ({ operation, arguments: values }) =>
        operation === operations.readGames &&
        (values['home_team_id'] === team || values['away_team_id'] === team) &&
        (season === undefined || values['season'] === season),
    )
    .map(({ answer, waiters }) => {
      waiters.add(request)
      return answer
    })

/** The expected bytes of the calls for what is missing of a schedule. */
export function bytesOf({ account, now }: ClientRequest, wanted: ScheduleWanted): number {
  const needs = missing(account, wanted, now)
  const known = sizes(account, wanted, needs, now)
  return planGames(needs, known).reduce((sum, name) => sum + (known[name] ?? 0), 0)
}

const operationOf = (name: GameOperation): Operation => operations[name === 'readSeason' ? 'readGames' : name]

interface Planned {
  readonly name: GameOperation
  readonly arguments: Arguments
}

interface Outcome {
  readonly name: GameOperation
  readonly result: PromiseSettledResult<Pick<Answered, 'keys'>> | undefined
}

/** Ends a schedule's calls. What a failed call would have brought fails only for those who need it. */
function finish(asks: ScheduleAsks, outcomes: readonly Outcome[]): void {
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
  const games = lastListed(wanted) ?? listIn(outcomes, listed)
  if (lastListed(wanted) === undefined)
    wanted.slot.put(request.account, wanted.owner, games, request.account.upstream.moment())
  for (const { name, result } of outcomes)
    if (result?.status === 'rejected' && !isReadOneByOne(name, result.reason))
      spread(asks, name, games, result.reason)
}

/**
 * The list as the calls answered it. While one call waited for the other, rows of the first one may have been evicted,
 * and with them its list.
 */
function listIn(outcomes: readonly Outcome[], listed: ReadonlyMap<GameOperation, boolean>): Keys {
  const complete = [...listed].find(([, isThere]) => isThere)?.[0]
  return outcomes.flatMap(({ name, result }) =>
    name === complete && result?.status === 'fulfilled' ? result.value.keys : [],
  )
}

/** Whether all calls of an operation for a schedule are under way, or would bring nothing that is missing. */
function isUnderWay(
  account: Account,
  wanted: ScheduleWanted,
  name: GameOperation,
  needs: ReadonlySet<GameNeed>,
  now: Moment,
): boolean {
  if (account.inFlight.size === 0 || name === 'readGames') return false
  return argumentsOf(wanted, name).every(
    (values) =>
      account.inFlight.has(callName(operationOf(name), values)) ||
      keptGames(account, wanted, { name, arguments: values }, needs, now) !== null,
  )
}

/** If the plan refuses bulk reads, the fields read the games one by one. */
const isReadOneByOne = (name: GameOperation, error: unknown) =>
  name === 'readGames' && error instanceof AccessDeniedError

const lastListed = ({ owner, slot }: ScheduleWanted): Keys | undefined => slot.last(owner)

/** Records for each game what a failed call would have brought, so that no field asks for it again. */
function spread(asks: ScheduleAsks, name: GameOperation, games: Keys, error: CodedError): void {
  // The odds' history includes the current odds.
  const hasHistory = asks.some(({ wanted }) => wanted.selection.relations.has('history'))
  for (const request of new Set(requestsOf(asks)))
    for (const game of games) {
      if (name !== 'getScores') failRow(request, 'game', game, error)
      else failLine(request, game, 'prediction', error)
      if (name === 'getScores' && !hasHistory) failLine(request, game, 'pre', error)
    }
}

/** What is missing of a schedule: everything if the list is unknown, else what at least one game lacks. */
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

/** The games of one side of a season whose call would bring nothing that is missing; null if it would. */
function keptGames(
  account: Account,
  { owner, selection }: ScheduleWanted,
  { name, arguments: values }: Planned,
  needs: ReadonlySet<GameNeed>,
  now: Moment,
): Keys | null {
  const games = name === 'readGames' ? null : keptSide(owner, operationOf(name), values, now)
  if (!games) return null
  const brought = [...needs].filter((need) => need !== 'list' && supplies[name].has(need))
  const hasAll = games
    .map((game) => account.rows.entry('game', game))
    .every((game) => brought.every((need) => has(account, game, need, selection, now)))
  return hasAll ? games : null
}

function withoutColumns(account: Account, wanted: ScheduleWanted, now: Moment): Keys {
  const { selection } = wanted
  const lacks = (game: Entry) =>
    !has(account, game, 'columns', selection, now) || !has(account, game, 'score', selection, now)
  return (lastListed(wanted) ?? []).filter((game) => lacks(account.rows.entry('game', game)))
}

/** The assumed length of an unknown list. All operations are compared at the same length. */
const typical = 30

/**
 * Scores have no start times and leave out games in another league. So they list a team's season only if they
 * are needed for something else, or if its games cannot be read.
 */
function sizes(
  account: Account,
  wanted: ScheduleWanted,
  needs: ReadonlySet<GameNeed>,
  now: Moment,
): GameSizes {
  const { estimates } = account
  const { owner, slot, selection, season } = wanted
  const games = lastListed(wanted)
  const size = (name: GameOperation, rows: number) =>
    isUnderWay(account, wanted, name, needs, now) ? 0 : rows * estimates.bytesPerRow(operationOf(name))
  const count = games?.length ?? typical
  const { organization_id, division_id } = wanted.league
  const hasLeague = organization_id !== undefined && division_id !== undefined
  const isReadable = season !== undefined && readsSeasons(account)
  const isScored = hasLeague && (!isReadable || needs.has('prediction') || needs.has('current'))
  return {
    ...(isScored && { getScores: size('getScores', count) }),
    ...(!season && { getGames: size('getGames', count) }),
    ...(isReadLater(account, wanted, games) && { readLater: size('readGames', count), bytesPerToken }),
    ...(isReadable && { readSeason: size('readSeason', count) }),
    ...(games && { readGames: size('readGames', withoutColumns(account, wanted, now).length) }),
    // Odds can be read by id without waiting only if the list is fresh.
    ...(games &&
      slot.read(owner, now) !== undefined && { readOdds: oddsSize(account, games, selection, now) }),
  }
}

/** Whether games may be read by id: the plan does not refuse it, or nothing else brings a season's columns. */
const mayReadById = ({ refusals }: Account, { season }: ScheduleWanted) =>
  season !== undefined || !refusals.has(nameOf(operations.readGames))

/** Whether the games of a day that is not known may be read by id once it is. */
const isReadLater = (account: Account, wanted: ScheduleWanted, games: Keys | undefined) =>
  games === undefined &&
  wanted.season === undefined &&
  !wanted.isComplete &&
  mayReadById(account, wanted) &&
  isListAlone(wanted.selection)

const seasonFilters = ['season', 'home_team_id', 'away_team_id'].map((name) =>
  filterName(operations.readGames, name),
)

/**
 * Whether a team's season can be read: the key's plan allows it, and the service filters by team and season.
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
