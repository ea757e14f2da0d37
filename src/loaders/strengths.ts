import { scheduleColumns, strengthOfSchedule } from '../derived/schedule.ts'
import type { StrengthOfSchedule } from '../derived/schedule.ts'
import { Together } from '../loading/together.ts'
import type { Wish } from '../loading/together.ts'
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
import type { Account } from '../account/account.ts'
import { leagueKey } from './leagues.ts'
import { ratingOrigin, ratingsAt } from './ratings.ts'
import { scheduled, scheduleOrigin, seasonAt } from './schedule-places.ts'
import { AccessDeniedError } from '../errors/errors.ts'
import { allDone } from '../groups.ts'

interface StrengthWanted {
  readonly team: Entry
  readonly scope: Scope & { readonly season: number }
}

type StrengthWish = Wish<StrengthWanted>

const selection = { ...nothing, columns: new Set(scheduleColumns) }

/**
 * Strengths of schedule: the games of all teams that ask at once, and their opponents' ratings in one
 * call.
 */
export const strengths = new Together<StrengthWanted, StrengthOfSchedule>(
  'strengths',
  ({ scope }) => `${leagueKey(scope)} ${scope.season}`,
  strengthsOf,
)

function strengthsOf(account: Account, wishes: readonly [StrengthWish, ...StrengthWish[]]) {
  const [first] = wishes
  const isAllowed = !account.refusals.has(nameOf(operations.readElo))
  const isWhole = isAllowed && readsWholeLeague(sizes(account, wishes))
  const whole = isWhole ? unlessDenied(ratingOf(first, null)) : undefined
  const schedules = new Map(wishes.map((wish) => [wish, gamesOf(wish)]))
  // All opponents are known at the same time, so one call brings their ratings. Failures are reported below.
  const allKnown = Promise.allSettled([whole, ...schedules.values()])
  return async (wish: StrengthWish): Promise<StrengthOfSchedule> => {
    await allKnown
    const { team } = wish.wanted
    const games = (await schedules.get(wish)) ?? []
    const opponents = new Set(
      games.flatMap(({ home_team_id, away_team_id }) => [home_team_id ?? [], away_team_id ?? []].flat()),
    )
    opponents.delete(team.key)
    await whole
    const elos = await allDone(
      [...opponents].map(async (opponent) => [opponent, await ratingOf(wish, opponent)] as const),
    )
    const known = elos.flatMap(([opponent, elo]) => (elo === null ? [] : [[opponent, elo] as const]))
    return strengthOfSchedule(team.key, games, new Map(known))
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

const contextOf = ({ request }: StrengthWish) => ({ clientRequest: request, defaults: {} })

const placeOf = ({ request, wanted: { team, scope } }: StrengthWish) =>
  seasonAt(team, scope, selection, request)

/** A team's games of the season, also those called off. */
async function gamesOf(wish: StrengthWish) {
  const context = contextOf(wish)
  const place = placeOf(wish)
  const keys = await read(scheduleOrigin, place, context, wish.field)
  return allOf(
    scheduled(keys, place, context).map((game) =>
      typedRow('game', game, scheduleColumns, context, wish.field),
    ),
  )
}

/** A team's current rating; null if it has none, or if all teams' ratings were requested. */
async function ratingOf(wish: StrengthWish, team: string | null): Promise<number | null> {
  const { scope } = wish.wanted
  const context = contextOf(wish)
  const place = ratingsAt(team, scope, true, wish.request.account)
  const key = (await read(ratingOrigin, place, context, wish.field))?.at(-1)
  if (key === undefined || team === null) return null
  const { elo } = await typedRow('elo', handle(wish.request, 'elo', key, scope), ['elo'], context, wish.field)
  return elo
}

function sizes({ estimates }: Account, wishs: readonly StrengthWish[]) {
  const teams = new Map(wishs.map((wish) => [wish.wanted.team.key, wish]))
  const unread = [...teams.values()].filter((wish) => usable(placeOf(wish), wish.request) === undefined)
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
