import { Loader } from '../loading/loader.ts'
import { byWhat, requestsOf } from '../loading/ask-groups.ts'
import type { Wanted } from '../loading/ask.ts'
import { expiredOf } from '../graph/place.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { convert } from '../graph/conversions.ts'
import type { Known } from '../graph/scope.ts'
import { timeOf } from '../rows/moment.ts'
import { newestPossible } from '../rows/seasons.ts'
import { slot, slots } from '../rows/slot.ts'
import { nameOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import { call } from '../calls/call.ts'
import type { Entry } from '../rows/entry.ts'
import { AccessDeniedError, UnsupportedError } from '../errors/errors.ts'
import { NotRecordedError } from '../wire/not-recorded.ts'
import type { Brought, Fill } from '../account/fill.ts'
import type { RowCache } from '../rows/row-cache.ts'
import type { Arguments } from '../specification/operation.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { leagueEntry } from './leagues.ts'
import { allDone } from '../groups.ts'

/** A league; or an organization, for a season of any of its leagues. */
type LeagueScope = Known<'organization_id'>

interface SeasonWanted extends Wanted {
  readonly league: LeagueScope
  /** The season; null for any season. */
  readonly season: number | null
}

/** Whether a season has begun, that is, has any rating; or without a season, whether the league has any. */
const hasBegun = slots<boolean, number | null>({
  name: 'season has begun',
  keyOf: (season) => String(season ?? 'any'),
  freshness: ({ fresh }) => fresh.reference,
})

/** The season of the league's latest averages; null if there are none. */
const latestSeason = slot<number | null>('latest season', ({ fresh }) => fresh.reference)

/** Loads whether seasons have begun, one small call for each. */
const begun = new Loader<SeasonWanted, boolean>('begun seasons', (account, asks) =>
  byWhat(asks, (group) => {
    const [{ wanted, field }] = group
    const { league, season } = wanted
    const values = { ...leagueIds(league), ...(season !== null && { season }) }
    return call(account, {
      operation: operations.getAnyElo,
      arguments: values,
      requests: requestsOf(group),
      field,
    })
  }),
)

/** Loads the season of a league's latest row. */
const latest = new Loader<SeasonWanted, number>('latest season', (account, asks) =>
  byWhat(asks, (group) => {
    const [{ wanted, field }] = group
    return call(account, {
      operation: operations.getLatestAverages,
      arguments: { ...leagueIds(wanted.league), current: 1 },
      requests: requestsOf(group),
      field,
    })
  }),
)

const begunSlot = ({ season }: Arguments) => hasBegun(typeof season === 'number' ? season : null)

export const begunBrought = (account: RowCache, values: Arguments): readonly Brought[] => [
  [leagueEntry(account, values), begunSlot(values)],
]

export const begunFill: Fill = (account, { arguments: values, keys, boughtAt }) =>
  begunSlot(values).put(account, leagueEntry(account, values), keys.length > 0, boughtAt)

export const latestSeasonBrought = (account: RowCache, values: Arguments): readonly Brought[] => [
  [leagueEntry(account, values), latestSeason],
]

export const latestSeasonFill: Fill = (account, { arguments: values, keys: [key], boughtAt }) => {
  const row = key === undefined ? undefined : account.rows.entry('league_statistic_ranking', key)
  const season = convert.integer(row?.column('season', boughtAt - 1))
  latestSeason.put(account, leagueEntry(account, values), season === null ? null : Number(season), boughtAt)
}

const leagueIds = ({ organization_id, division_id }: LeagueScope) => ({
  organization_id,
  ...(division_id !== undefined && { division_id }),
})

/**
 * For each season, whether it has begun; synchronous if all are known. `isTold` returns whether it no longer
 * matters, because rows that have come meanwhile tell the season under way.
 */
function haveBegun(
  league: LeagueScope,
  seasons: readonly (number | null)[],
  request: ClientRequest,
  field: string,
  isTold: (() => boolean) | null = null,
): MaybePromise<readonly boolean[]> {
  const owner = leagueEntry(request.account, league)
  const known = seasons.map((season) => cachedBegun(owner, season, request, field))
  const isKnown = (value: boolean | undefined): value is boolean => value !== undefined
  if (known.every(isKnown)) return known
  return allDone(
    seasons.map(async (season, index) => {
      const wanted = { what: `${owner.key} ${season}`, league, season }
      const cached = () => hasBegun(season).read(owner, request.now) ?? (isTold?.() ? false : undefined)
      const value = () => hasBegun(season).lastOrNone(owner)
      const ask = {
        request,
        field,
        wanted,
        operation: operations.getAnyElo,
        cached,
        value,
        kept: [{ owner, slot: hasBegun(season) }],
      }
      const place = { owner, slot: hasBegun(season) }
      const loaded = () => begun.load(ask).catch((error: unknown) => expiredOf({}, place, request, error))
      return known[index] ?? (await loaded()) ?? false
    }),
  )
}

/** Whether a season has begun, as far as that is known. */
export const hasSeasonBegun = (
  league: LeagueScope,
  season: number,
  request: ClientRequest,
): boolean | undefined =>
  hasBegun(season).read(leagueEntry(request.account, league), request.now) ?? undefined

/** Checks whether a season has begun, unless that is known. */
export async function loadHasSeasonBegun(
  league: LeagueScope,
  season: number,
  request: ClientRequest,
  field: string,
): Promise<void> {
  await haveBegun(league, [season], request, field)
}

function cachedBegun(
  owner: Entry,
  season: number | null,
  request: ClientRequest,
  field: string,
): boolean | undefined {
  const slotOf = hasBegun(season)
  request.touch(owner, slotOf.name)
  const known = slotOf.read(owner, request.now)
  if (known !== undefined && slotOf.isOlder(owner, request.began))
    request.hit(nameOf(operations.getAnyElo), ['season'], field)
  return known ?? undefined
}

/** Whether an organization and a division form a league: whether any of its teams has a rating. */
export async function hasAnyRating(
  league: LeagueScope,
  request: ClientRequest,
  field: string,
): Promise<boolean> {
  const [has] = await haveBegun(league, [null], request, field)
  return has ?? false
}

/**
 * The years that the current season may be named after, newest first: the year in which it begins or the one
 * in which it ends.
 */
function likelySeasons(now: number): readonly [number, number] {
  const newest = newestPossible(now)
  return [newest, newest - 1]
}

/**
 * The newest season in which a game was played; null if there is none. It costs nothing if a row of the last
 * two weeks tells. Otherwise it costs two small calls in parallel, once a day, and one more if the league's
 * last season is long over.
 */
export function currentSeason(
  league: LeagueScope,
  request: ClientRequest,
  field: string,
): MaybePromise<number | null> {
  const season = findCurrentSeason(league, request, field)
  if (season instanceof Promise)
    void request.once(currentSeasonOf(league, request), () =>
      season.then(
        () => {},
        () => {},
      ),
    )
  return season
}

/** Resolves when this request no longer looks for a league's current season; undefined if it does not. */
export const currentSeasonPending = (
  league: LeagueScope,
  request: ClientRequest,
): Promise<void> | undefined => request.pending(currentSeasonOf(league, request))

const currentSeasonOf = (league: LeagueScope, { account }: ClientRequest) =>
  `current season ${leagueEntry(account, league).key}`

function findCurrentSeason(
  league: LeagueScope,
  request: ClientRequest,
  field: string,
): MaybePromise<number | null> {
  const { account, now } = request
  const underWay = () => account.fresh.seasons.underWay(league, timeOf(now))
  const reported = underWay()
  if (reported !== undefined) return reported
  const owner = leagueEntry(account, league)
  const years = likelySeasons(timeOf(now))
  request.touch(owner, latestSeason.name)
  const latestKnown = () => latestSeason.read(owner, now)
  // Another instance's rows may have come meanwhile.
  const newest = (begun: readonly boolean[]) => underWay() ?? years.find((_, index) => begun[index])
  const asked = haveBegun(league, years, request, field, () => underWay() !== undefined)
  if (!(asked instanceof Promise)) return newest(asked) ?? latestKnown() ?? loadLatest(league, request, field)
  return asked.then(
    (begun) => newest(begun) ?? latestKnown() ?? loadLatest(league, request, field),
    (error: unknown) => {
      const known = underWay()
      // By now the tape's rows are known, and they may tell.
      if (error instanceof NotRecordedError && known !== undefined) return known
      // Without ratings, the league's averages still tell.
      if (error instanceof AccessDeniedError || error instanceof UnsupportedError)
        return latestKnown() ?? loadLatest(league, request, field)
      throw error
    },
  )
}

function loadLatest(league: LeagueScope, request: ClientRequest, field: string): Promise<number | null> {
  const owner = leagueEntry(request.account, league)
  const { key: what } = owner
  const wanted = { what, league, season: null }
  const operation = operations.getLatestAverages
  const cached = () => latestSeason.read(owner, request.now)
  const value = () => latestSeason.lastOrNone(owner)
  return latest
    .load({ request, field, wanted, operation, cached, value, kept: [{ owner, slot: latestSeason }] })
    .catch((error: unknown) => expiredOf({}, { owner, slot: latestSeason }, request, error))
}

/** The number of seasons checked in parallel. */
const together = 4

/** No league is older. This bounds the calls if a service, or a dry run, reports every season as begun. */
const mostSeasons = 200

/**
 * All seasons that have begun, newest first. Gaps between seasons are assumed to be shorter than four years.
 */
export async function allSeasons(
  league: LeagueScope,
  request: ClientRequest,
  field: string,
): Promise<readonly number[]> {
  const newest = await currentSeason(league, request, field)
  if (newest === null) return []
  const seasons = [newest]
  for (let year = newest - 1; newest - year < mostSeasons; year -= together) {
    const years = Array.from({ length: together }, (_, index) => year - index)
    const begun = await haveBegun(league, years, request, field)
    seasons.push(...years.filter((_, index) => begun[index]))
    if (!begun.includes(true)) break
  }
  return seasons
}
