import { isFinal, isToBePlayed, marginOf, scheduleColumns } from './schedule.ts'
import type { ScheduledGame } from './schedule.ts'
import type { Row } from '../specification/tables.ts'

/** The columns needed of a game. */
export const conferenceColumns = [...scheduleColumns, 'is_conf_game'] as const
export type LeagueGame = ScheduledGame & Pick<Row<'game'>, 'is_conf_game'>

/** A team's record within its conference so far. */
export interface ConferenceRecord {
  readonly team_id: string
  readonly confwins: number
  readonly conflosses: number
}

/** A conference game still to be played. */
export interface ConferenceGame {
  readonly home_team_id: string
  readonly away_team_id: string
  /** The predicted chance of a home win, 0 to 1. Null counts as one half. */
  readonly home_percentage: number | null
}

/** The conference's games among those of its teams, each once. Their order does not depend on that of `games`. */
export function conferenceGames(teams: readonly string[], games: readonly LeagueGame[]): LeagueGame[] {
  const members = new Set<string | null>(teams)
  const own = games.filter(
    ({ is_conf_game, deleted, home_team_id, away_team_id }) =>
      is_conf_game === 1 && deleted !== 1 && members.has(home_team_id) && members.has(away_team_id),
  )
  const idOf = ({ game_id }: LeagueGame) => game_id ?? ''
  const byId = new Map(own.map((game) => [idOf(game), game]))
  return [...byId.values()].toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
}

/** Each team's record in its conference's final games. A draw is neither won nor lost. */
export function conferenceRecords(
  teams: readonly string[],
  games: readonly LeagueGame[],
): ConferenceRecord[] {
  const over = games.filter(isFinal)
  return teams.map((team_id) => {
    const played = over.filter((game) => game.home_team_id === team_id || game.away_team_id === team_id)
    const margins = played.map((game) => marginOf(team_id, game))
    const count = (holds: (margin: number) => boolean) => margins.filter(holds).length
    return {
      team_id,
      confwins: count((margin) => margin > 0),
      conflosses: count((margin) => margin < 0),
    }
  })
}

/** Whether a game is still to be decided. */
export const isOpen = (game: LeagueGame): boolean => !isFinal(game) && isToBePlayed(game)

const runs = 10_000

/**
 * Each team's chance to finish first in its conference, 0 to 1, from simulated seasons. Unplayed games are
 * drawn by their predictions. The team with the largest share of conference games won is first; tied teams
 * share the title, so the chances sum to one. The same input gives the same chances.
 */
export function titleChances(
  records: readonly ConferenceRecord[],
  games: readonly ConferenceGame[],
): Map<string, number> {
  const position = new Map(records.map(({ team_id }, at) => [team_id, at]))
  const left = games.map((game) => ({
    home: position.get(game.home_team_id) ?? -1,
    away: position.get(game.away_team_id) ?? -1,
    chance: game.home_percentage ?? 0.5,
  }))
  const before = Float64Array.from(records.map(({ confwins }) => confwins))
  const played = gamesOf(records, left)
  const titles = new Float64Array(records.length)
  const wins = new Float64Array(records.length)
  const draw = uniform()
  for (let run = 0; run < runs; run++) {
    wins.set(before)
    for (const { home, away, chance } of left) {
      const winner = draw() < chance ? home : away
      if (winner >= 0) wins[winner]! += 1
    }
    share(titles, wins, played)
  }
  return new Map(records.map(({ team_id }, at) => [team_id, titles[at]! / runs]))
}

/** The number of conference games of each team in the whole season. */
function gamesOf(
  records: readonly ConferenceRecord[],
  left: readonly { readonly home: number; readonly away: number }[],
): Float64Array {
  const games = Float64Array.from(records.map(({ confwins, conflosses }) => confwins + conflosses))
  for (const { home, away } of left) for (const team of [home, away]) if (team >= 0) games[team]! += 1
  return games
}

/** Divides one title among the teams with the largest share of games won. */
function share(titles: Float64Array, wins: Float64Array, games: Float64Array): void {
  const shareOf = (team: number) => (games[team] === 0 ? 0 : wins[team]! / games[team]!)
  let best = -1
  let leaders = 0
  for (let team = 0; team < wins.length; team++) {
    const won = shareOf(team)
    if (won > best) [best, leaders] = [won, 1]
    else if (won === best) leaders += 1
  }
  for (let team = 0; team < wins.length; team++) if (shareOf(team) === best) titles[team]! += 1 / leaders
}

/**
 * Uniform pseudo-random numbers from 0 to 1, with a fixed seed: mulberry32 (T. Ettinger, 2017, public
 * domain).
 */
function uniform(): () => number {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
