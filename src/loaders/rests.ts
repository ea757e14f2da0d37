import { restDays, scheduleColumns } from '../derived/schedule.ts'
import type { ScheduledGame } from '../derived/schedule.ts'
import { Together } from '../loading/together.ts'
import type { Wish } from '../loading/together.ts'
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

interface RestWanted {
  readonly team: string
  readonly game: ScheduledGame
  /** The days in which the last game is searched. */
  readonly days: readonly string[]
  readonly scope: Known<'season'>
}

type RestWish = Wish<RestWanted>

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

/** Rest days: for many teams of one day from the days before, for few teams from their seasons. */
export const rests = new Together<RestWanted, number | null>(
  'rests',
  ({ scope }) => `${leagueKey(scope)} ${scope.season}`,
  restsOf,
)

/** The rest before a game of a team. */
export const restWanted = (team: string, game: ScheduledGame, scope: Known<'season'>): RestWanted => ({
  team,
  game,
  days: daysUntil(game),
  scope,
})

function restsOf(account: Account, wishes: readonly [RestWish, ...RestWish[]]) {
  const [{ request, wanted: first }] = wishes
  // Each game of a team's season asks for the whole season.
  const seasons = once((wish) => {
    const { team, scope } = wish.wanted
    return gamesAt(seasonAt(account.rows.entry('team', team), scope, selection, wish.request), wish)
  })
  const days = planRest(
    wishes.map(({ wanted }) => wanted),
    {
      seasonOf: (team) => seasonBytes(account, team, first.scope, request),
      gamesOf: (day) => dayBytes(account, day, first.scope, request),
    },
  )
  // Each request loads its own days and seasons; calls are shared.
  const gamesOn = once((wish, day) => gamesAt(dayPlaceOf(account, day, first.scope, wish.request), wish))
  const allKnown = Promise.allSettled(wishes.flatMap((wish) => days.map((day) => gamesOn(wish, day))))
  return async (wish: RestWish): Promise<number | null> => {
    const { team, game } = wish.wanted
    await allKnown
    if (days.length === 0) return restDays(team, game, await seasons(wish, team))
    const own = wish.wanted.days.filter((day) => days.includes(day))
    const before = await allDone(own.map((day) => gamesOn(wish, day)))
    // A team without a game in these days: its season tells its last game, if any.
    return restDays(team, game, before.flat()) ?? restDays(team, game, await seasons(wish, team))
  }
}

/** Loads games once for each request and each thing that is named. */
function once(load: (wish: RestWish, what: string) => ReturnType<typeof gamesAt>): typeof load {
  const all = new Map<ClientRequest, Map<string, ReturnType<typeof gamesAt>>>()
  return (wish, what) => {
    const own = all.get(wish.request) ?? new Map<string, ReturnType<typeof gamesAt>>()
    all.set(wish.request, own)
    const games = own.get(what) ?? load(wish, what)
    own.set(what, games)
    return games
  }
}

type SchedulePlace = Place<ScheduleWanted, readonly string[]>

/** The games of the place's league: a team may play in several. */
async function gamesAt(place: SchedulePlace, { request, field }: RestWish) {
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
