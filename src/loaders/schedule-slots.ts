import type { Scope } from '../graph/scope.ts'
import { Schedule } from '../rows/game-state.ts'
import { joinSlots, slots } from '../rows/slot.ts'
import { gameSlots } from '../rows/game-slots.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Entry } from '../rows/entry.ts'
import { grouped } from '../groups.ts'
import type { AnswerWithKeys, Fill } from '../account/fill.ts'
import type { RowCache } from '../rows/row-cache.ts'
import { leagueEntry, leagueKey } from './leagues.ts'
import type { Moment } from '../rows/moment.ts'
import { textOf } from '../rows/values.ts'
import type { Keys } from '../rows/slot.ts'

/**
 * The keys of a league's games on a day. The list is final once the day and all games are over; until then it may change.
 */
export const gamesOfDay = slots<Keys, string>({
  name: 'games',
  keyOf: (date) => date,
  freshness(cache, date, _league, games) {
    const states = games.map((game) => cache.game(game))
    return new Schedule(states, cache.fresh.freshFor, date)
  },
  lists: () => 'game',
})

/**
 * The keys of a team's games in a season, by league: a team may play in several, and scores do not name
 * theirs.
 */
export const gamesOfSeason = slots<Keys, Scope>({
  name: 'season',
  keyOf: (scope) => `${leagueKey(scope)} ${scope.season}`,
  freshness: ({ fresh }, { organization_id, season }) => fresh.ofSeason(organization_id, season),
  lists: () => 'game',
})

/** The keys of its home games. */
export const homeGamesOfSeason = slots<Keys, Scope>({
  name: 'home season',
  keyOf: (scope) => `${leagueKey(scope)} ${scope.season}`,
  freshness: ({ fresh }, { organization_id, season }) => fresh.ofSeason(organization_id, season),
  lists: () => 'game',
})

const sides = ['home_team_id', 'away_team_id'] as const

interface SeasonSide {
  readonly side: (typeof sides)[number]
  readonly season: number
  /** The league of the scores; undefined if games of all leagues were read. */
  readonly league: string | undefined
  readonly organization_id: unknown
}

/** A team's home or away games in a season: the answer of one call. */
const seasonSide = slots<Keys, SeasonSide>({
  name: 'season side',
  keyOf: ({ side, season, league }) => `${side} ${season} ${league ?? 'any'}`,
  freshness: ({ fresh }, { organization_id, season }) => fresh.ofSeason(organization_id, season),
  lists: () => 'game',
})

const sidesIn = (season: number, league: string | undefined, organization_id: unknown) =>
  sides.map((side) => seasonSide({ side, season, league, organization_id }))

/**
 * Combines a team's home and away games into its season, and stores its home games, as far as they are known.
 */
export function joinSeason(team: Entry, scope: Scope & { readonly season: number }, now: Moment): void {
  const { organization_id, season } = scope
  for (const league of [undefined, leagueKey(scope)]) {
    const parts = sidesIn(season, league, organization_id)
    joinSlots(team, gamesOfSeason(scope), parts, now)
    joinSlots(team, homeGamesOfSeason(scope), parts.slice(0, 1), now)
  }
}

/** The kept answer to a call for one side of a team's season; nullish if there is none. */
export function keptSide(
  team: Entry,
  operation: Operation,
  values: Arguments,
  now: Moment,
): Keys | null | undefined {
  const { season, organization_id } = values
  const side = sides.find((one) => values[one] !== undefined)
  if (side === undefined || typeof season !== 'number') return null
  const league = operation === operations.readGames ? undefined : leagueKey(values)
  return seasonSide({ side, season, league, organization_id }).read(team, now)
}

export const scheduleFill: Fill = (account, answer) => {
  const { operation, arguments: values, keys, boughtAt } = answer
  const { start_date, season } = values
  if (typeof start_date === 'string')
    gamesOfDay(start_date).put(account, leagueEntry(account, values), keys, boughtAt)
  if (typeof season !== 'number') return
  if (isWholeSeason(answer)) return putAllSides(account, { season, ...answer })
  const league = operation === operations.readGames ? undefined : leagueKey(values)
  const organization_id = values['organization_id'] ?? organizationOf(account, keys)
  for (const side of sides) {
    const team = values[side]
    if (typeof team !== 'string') continue
    const entry = account.rows.entry('team', team)
    seasonSide({ side, season, league, organization_id }).put(account, entry, keys, boughtAt)
    if (league !== undefined) noteLeftOut(account, entry, { side, season }, answer)
    const both = sidesIn(season, league, organization_id).map((slot) => slot.last(entry))
    if (both.every((own) => own !== undefined))
      noteSeason(account, { organization_id, season }, both.flat(), boughtAt)
  }
}

/**
 * Of the games that scores leave out, such as withdrawn ones, there is no line. Only those of the league are meant: a
 * team may play in several.
 */
function noteLeftOut(
  account: RowCache,
  team: Entry,
  { side, season }: Pick<SeasonSide, 'side' | 'season'>,
  { arguments: { organization_id, division_id }, keys, boughtAt }: AnswerWithKeys,
): void {
  const there = new Set(keys)
  const listed = seasonSide({ side, season, league: undefined, organization_id }).last(team) ?? []
  for (const key of listed) {
    const game = account.rows.entry('game', key)
    const isOf = (name: string, id: unknown) => game.column(name, 0) === id
    if (!there.has(key) && isOf('organization_id', organization_id) && isOf('division_id', division_id))
      putNoLines(account, game, boughtAt)
  }
}

/** Notes that a game has neither a prediction nor current odds. */
export function putNoLines(account: RowCache, game: Entry, boughtAt: number): void {
  for (const line of ['prediction', 'pre', 'live'] as const) gameSlots[line].put(account, game, [], boughtAt)
}

/** Whether an answer has the games of all teams. The service then ignores the team filter. */
const isWholeSeason = ({ operation, arguments: values }: AnswerWithKeys): boolean =>
  operation === operations.readGames && Object.keys(values).join() === 'season'

/** Stores both sides of all teams' games. */
function putAllSides(
  account: RowCache,
  { keys, boughtAt, season }: AnswerWithKeys & { readonly season: number },
): void {
  for (const side of sides) {
    const byTeam = grouped(keys, (key) => textOf(account.rows.entry('game', key).column(side, 0)))
    for (const [team, games] of byTeam) {
      const organization_id = organizationOf(account, games)
      const slot = seasonSide({ side, season, league: undefined, organization_id })
      slot.put(account, account.rows.entry('team', team), games, boughtAt)
    }
  }
}

/** Ids do not expire, so any time will do. */
const organizationOf = (account: RowCache, [game]: Keys): unknown =>
  game === undefined ? undefined : account.rows.entry('game', game).column('organization_id', 0)

/** A team's first and last game tell when the season began and ended. */
function noteSeason(
  account: RowCache,
  season: { readonly organization_id: unknown; readonly season: number },
  games: Keys,
  now: number,
): void {
  const starts = games
    .map((game) => account.game(game).start ?? Number.NaN)
    .filter((start) => !Number.isNaN(start))
  if (starts.length < games.length || games.length < 2) return
  for (const end of [Math.min(...starts), Math.max(...starts)])
    account.fresh.seasons.note(season, new Date(end).toISOString(), { isPlayed: true, isSeries: true }, now)
}

/** The last known list of a day's games, however old; undefined if there is none. */
export const listedOn = (account: RowCache, league: string, date: string): Keys | undefined =>
  gamesOfDay(date).last(account.rows.entry('league', league))
