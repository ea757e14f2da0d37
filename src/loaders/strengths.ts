import { scheduleColumns, strengthOfSchedule } from '../derived/schedule.ts'
import type { StrengthOfSchedule } from '../derived/schedule.ts'
import { Loader } from '../loading/loader.ts'
import { byGroup } from '../loading/ask-groups.ts'
import type { Asks } from '../loading/ask-groups.ts'
import type { Ask, Split, Splits, Wanted } from '../loading/ask.ts'
import { handle } from '../graph/handle.ts'
import { read, usable } from '../graph/place.ts'
import type { Scope } from '../graph/scope.ts'
import { allOf, typedRow } from '../graph/typed-row.ts'
import { bytesPerToken } from '../money/price.ts'
import { nothing } from '../plan/selection.ts'
import { readsWholeLeague } from '../plan/strength.ts'
import { nameOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Entry } from '../rows/entry.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'
import { leagueKey } from './leagues.ts'
import { ratings, ratingsAt } from './ratings.ts'
import { scheduled, scheduleOrigin, seasonAt } from './schedule-places.ts'
import { AccessDeniedError } from '../errors/errors.ts'
import { allDone } from '../groups.ts'

interface StrengthWanted extends Wanted {
  readonly team: Entry
  readonly scope: Scope & { readonly season: number }
}

type StrengthAsk = Ask<StrengthWanted, StrengthOfSchedule>

const selection = { ...nothing, columns: new Set(scheduleColumns) }
const ratingOrigin = { loader: ratings, operation: operations.readElo }

/**
 * Loads strengths of schedule: the games of all teams that ask at once, and their opponents' ratings in one
 * call.
 */
export const strengths = new Loader<StrengthWanted, StrengthOfSchedule>('strengths', plan, {
  asksOthers: true,
})

/** The strength of schedule to load for a team. */
export function strengthAsk(
  team: Entry,
  scope: StrengthWanted['scope'],
  request: ClientRequest,
  field: string,
): StrengthAsk {
  const what = `${team.key} ${leagueKey(scope)} ${scope.season}`
  return { request, field, joins: what, wanted: { what, team, scope } }
}

const leagueOf = ({ scope }: StrengthWanted) => `${leagueKey(scope)} ${scope.season}`

function plan(
  account: Account,
  asks: readonly Ask<StrengthWanted>[],
): Splits<StrengthWanted, StrengthOfSchedule> {
  return byGroup(asks, leagueOf, (group) => readGroup(account, group))
}

async function readGroup(
  account: Account,
  asks: Asks<StrengthWanted>,
): Promise<Split<StrengthWanted, StrengthOfSchedule>> {
  const [first] = asks
  const isAllowed = !account.refusals.has(nameOf(operations.readElo))
  const isWhole = isAllowed && readsWholeLeague(sizes(account, asks))
  const whole = isWhole ? unlessDenied(ratingsOf(first, null)) : undefined
  const schedules = new Map(asks.map((ask) => [ask, gamesOf(ask)]))
  // All opponents are known at the same time, so one call brings their ratings. Failures are reported below.
  await Promise.allSettled([whole, ...schedules.values()])
  return async (ask) => {
    const games = (await schedules.get(ask)) ?? []
    const opponents = new Set(
      games.flatMap(({ home_team_id, away_team_id }) => [home_team_id ?? [], away_team_id ?? []].flat()),
    )
    opponents.delete(ask.wanted.team.key)
    await whole
    const elos = await allDone(
      [...opponents].map(async (team) => [team, await ratingsOf(ask, team)] as const),
    )
    const known = elos.flatMap(([team, elo]) => (elo === null ? [] : [[team, elo] as const]))
    return strengthOfSchedule(ask.wanted.team.key, games, new Map(known))
  }
}

/** If the key's plan refuses bulk reads, the opponents' ratings are read one by one. */
async function unlessDenied(whole: Promise<unknown>): Promise<void> {
  try {
    await whole
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error
  }
}

const contextOf = ({ request }: Ask<StrengthWanted>) => ({ clientRequest: request, defaults: {} })

const placeOf = ({ request, wanted: { team, scope } }: Ask<StrengthWanted>) =>
  seasonAt(team, scope, selection, request)

/** A team's games of the season, also those called off. */
async function gamesOf(ask: Ask<StrengthWanted>) {
  const context = contextOf(ask)
  const place = placeOf(ask)
  const keys = await read(scheduleOrigin, place, context, ask.field)
  return allOf(
    scheduled(keys, place, context).map((game) =>
      typedRow('game', game, scheduleColumns, context, ask.field),
    ),
  )
}

/** A team's current rating; null if it has none, or if all teams' ratings were requested. */
async function ratingsOf(ask: Ask<StrengthWanted>, team: string | null): Promise<number | null> {
  const { scope } = ask.wanted
  const context = contextOf(ask)
  const place = ratingsAt(team, scope, true, ask.request.account)
  const key = (await read(ratingOrigin, place, context, ask.field))?.at(-1)
  if (key === undefined || team === null) return null
  const { elo } = await typedRow('elo', handle(ask.request, 'elo', key, scope), ['elo'], context, ask.field)
  return elo
}

function sizes({ estimates }: Account, asks: Asks<StrengthWanted>) {
  const teams = new Map(asks.map((ask) => [ask.wanted.team.key, ask]))
  const unread = [...teams.values()].filter((ask) => usable(placeOf(ask), ask.request) === undefined)
  const games = (form: string) => estimates.rowsPerId(operations.readGames, form)
  return {
    teams: teams.size,
    unread: unread.length,
    gamesOfTeam: games('home_team_id season') + games('away_team_id season'),
    teamsOfLeague: estimates.rowsPerId(operations.readElo, 'current season'),
    bytesOfGame: estimates.bytesPerRow(operations.readGames),
    bytesOfRating: estimates.bytesPerRow(operations.readElo),
    bytesPerToken,
  }
}
