import type { Row } from '../../specification/tables.ts'
import type { Schedule } from '../numbers/chronicle.ts'
import type { Forecast } from '../numbers/predictions.ts'
import type { Played, Result } from '../numbers/result.ts'
import type { Season } from '../numbers/team-days.ts'
import type { LeagueRules } from '../numbers/rules.ts'
import type { Line, Membership } from './facts.ts'
import { fixtureOf, isOn, resultOf } from './fixtures.ts'
import type { Spreads } from './spreads.ts'

/** The facts of one season of a division. */
export interface SeasonFacts {
  readonly rules: LeagueRules
  readonly season: number
  readonly memberships: readonly Membership[]
  /** By time. */
  readonly games: readonly Row<'game'>[]
  readonly boxscores: readonly { game_id: string | null; team_id: string | null; line: Line }[]
  /** Closing spreads, if predictions use them. */
  readonly spreads?: Spreads | undefined
}

/** The season for ratings and predictions. */
export const scheduleOf = (facts: SeasonFacts): Schedule => ({
  rules: facts.rules,
  teams: facts.memberships.map((membership) => membership.team_id),
  games: facts.games.filter(isOn).map((game) => resultOf(game) ?? fixtureOf(game)),
  ...(facts.spreads && { spreads: facts.spreads }),
})

/** The season for statistics: finished games with both boxscores and their predictions. */
export function seasonOf(
  facts: SeasonFacts,
  forecasts: ReadonlyMap<string, Pick<Forecast, 'home_percentage'>>,
): Season {
  const lines = new Map(facts.boxscores.map((box) => [`${box.game_id} ${box.team_id}`, box.line]))
  const teams = facts.memberships.map((membership) => membership.team_id)
  const members = new Set(teams)
  const played = (result: Result): Played => ({
    ...result,
    home_line: lines.get(`${result.game_id} ${result.home_team_id}`) ?? null,
    away_line: lines.get(`${result.game_id} ${result.away_team_id}`) ?? null,
    home_chance:
      members.has(result.home_team_id) && members.has(result.away_team_id)
        ? (forecasts.get(result.game_id)?.home_percentage ?? null)
        : null,
  })
  const games = facts.games.map(resultOf).filter((result) => result !== null)
  return {
    rules: facts.rules,
    season: facts.season,
    teams,
    scheduled: scheduledGames(facts.games.filter(isOn)),
    games: games.map(played).toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
  }
}

function scheduledGames(games: readonly Row<'game'>[]): Map<string, number> {
  const scheduled = new Map<string, number>()
  for (const team of games.flatMap((game) => [game.home_team_id, game.away_team_id]))
    if (team) scheduled.set(team, (scheduled.get(team) ?? 0) + 1)
  return scheduled
}
