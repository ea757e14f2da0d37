import { restDays, scheduleColumns } from '../derived/schedule.ts'
import type { ScheduledGame } from '../derived/schedule.ts'
import { Loader } from '../loading/loader.ts'
import { byGroup } from '../loading/ask-groups.ts'
import type { Asks } from '../loading/ask-groups.ts'
import type { Ask, Split, Splits, Wanted } from '../loading/ask.ts'
import { read, usable } from '../graph/place.ts'
import type { Place } from '../graph/place.ts'
import type { Known } from '../graph/scope.ts'
import { allOf, typedRow } from '../graph/typed-row.ts'
import { planRest } from '../plan/rest.ts'
import { nothing } from '../plan/selection.ts'
import { operations } from '../specification/operations.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'
import { leagueEntry, leagueKey } from './leagues.ts'
import { dayAt, scheduled, scheduleOrigin, seasonAt } from './schedule-places.ts'
import { listedOn } from './schedule-slots.ts'
import type { ScheduleWanted } from './schedules.ts'
import { allDone } from '../groups.ts'

interface RestWanted extends Wanted {
  readonly team: string
  readonly game: ScheduledGame
  /** The days in which the last game is searched. */
  readonly days: readonly string[]
  readonly scope: Known<'season'>
}

const columns = [...scheduleColumns, 'division_id'] as const
const selection = { ...nothing, columns: new Set<string>(columns) }

/**
 * The number of days before a game in which its teams' last games are searched: a week, and a day for weekly
 * games.
 */
const daysBefore = 8
const dayLength = 86_400_000

/** A game's day and the days before it. */
function daysUntil({ start_date }: ScheduledGame): readonly string[] {
  const midnight = Date.parse(start_date?.slice(0, 10) ?? '')
  if (Number.isNaN(midnight)) return []
  return Array.from({ length: daysBefore + 1 }, (_, index) =>
    new Date(midnight - index * dayLength).toISOString().slice(0, 10),
  )
}

/** Loads rest days: for many teams of one day from the days before, for few teams from their seasons. */
export const rests = new Loader<RestWanted, number>('rests', plan, { asksOthers: true })

/** The rest before a game to load for a team. */
export function restAsk(
  team: string,
  game: ScheduledGame,
  scope: Known<'season'>,
  request: ClientRequest,
  field: string,
): Ask<RestWanted, number> {
  const what = `${team} ${game.game_id}`
  return { request, field, joins: what, wanted: { what, team, game, days: daysUntil(game), scope } }
}

const leagueOf = ({ scope }: RestWanted) => `${leagueKey(scope)} ${scope.season}`

function plan(account: Account, asks: readonly Ask<RestWanted>[]): Splits<RestWanted, number> {
  return byGroup(asks, leagueOf, (group) => readGroup(account, group))
}

async function readGroup(account: Account, asks: Asks<RestWanted>): Promise<Split<RestWanted, number>> {
  const [first] = asks
  const {
    request,
    wanted: { scope },
  } = first
  // Each game of a team's season asks for the whole season.
  const seasonsOf = new Map<ClientRequest, Map<string, ReturnType<typeof gamesAt>>>()
  const seasons = (ask: Ask<RestWanted>) => {
    const { team, scope: own } = ask.wanted
    const known = seasonsOf.get(ask.request) ?? new Map<string, ReturnType<typeof gamesAt>>()
    seasonsOf.set(ask.request, known)
    const games =
      known.get(team) ?? gamesAt(seasonAt(account.rows.entry('team', team), own, selection, ask.request), ask)
    known.set(team, games)
    return games
  }
  const days = planRest(
    asks.map(({ wanted }) => wanted),
    {
      seasonOf: (team) => seasonBytes(account, team, scope, request),
      gamesOf: (day) => dayBytes(account, day, scope, request),
    },
  )
  // Each request loads its own days and seasons; calls are shared.
  const windows = new Map(
    [...new Map(asks.map((ask) => [ask.request, ask]))].map(([asker, ask]) => [
      asker,
      new Map(days.map((day) => [day, gamesAt(dayPlaceOf(account, day, scope, asker), ask)])),
    ]),
  )
  await Promise.allSettled([...windows.values()].flatMap((window) => [...window.values()]))
  return async (ask) => {
    const { team, game } = ask.wanted
    if (days.length === 0) return restDays(team, game, await seasons(ask))
    const window = windows.get(ask.request)
    const before = await allDone(ask.wanted.days.map((day) => window?.get(day) ?? []))
    // A team without a game in these days: its season tells its last game, if any.
    return restDays(team, game, before.flat()) ?? restDays(team, game, await seasons(ask))
  }
}

type SchedulePlace = Place<ScheduleWanted, readonly string[]>

/** The games of the place's league: a team may play in several. */
async function gamesAt(place: SchedulePlace, { request, field }: Ask<RestWanted>) {
  const context = { clientRequest: request, defaults: {} }
  const keys = await read(scheduleOrigin, place, context, field)
  const games = await allOf(
    scheduled(keys, place, context).map((game) => typedRow('game', game, columns, context, field)),
  )
  const { division_id } = place.scope
  return games.filter((game) => (game.division_id ?? division_id) === division_id)
}

const dayPlaceOf = (account: Account, day: string, scope: Known<'season'>, request: ClientRequest) =>
  dayAt(leagueEntry(account, scope), scope, day, selection, request)

function seasonBytes(account: Account, team: string, scope: Known<'season'>, request: ClientRequest): number {
  const place = seasonAt(account.rows.entry('team', team), scope, selection, request)
  if (usable(place, request) !== undefined) return 0
  const { estimates } = account
  const games = (form: string) => estimates.rowsPerId(operations.readGames, form)
  return (
    (games('home_team_id season') + games('away_team_id season')) *
    estimates.bytesPerRow(operations.readGames)
  )
}

function dayBytes(account: Account, day: string, scope: Known<'season'>, request: ClientRequest): number {
  if (usable(dayPlaceOf(account, day, scope, request), request) !== undefined) return 0
  const { estimates } = account
  const games =
    listedOn(account, leagueKey(scope), day)?.length ?? estimates.rowsPerId(operations.getGames, 'start_date')
  return games * estimates.bytesPerRow(operations.getGames)
}
