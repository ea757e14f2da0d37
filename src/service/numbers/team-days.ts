import { adjustedEfficiency } from './adjusted.ts'
import type { Efficiency } from './adjusted.ts'
import type { Numbers } from './formula.ts'
import type { Played } from './result.ts'
import type { LeagueRules } from './rules.ts'
import { sportNumbers } from './sports.ts'
import { TeamSeason } from './team.ts'

/** One season of a division, as far as it has been played. */
export interface Season {
  readonly rules: LeagueRules
  readonly season: number
  /** The division’s teams. Opponents from outside it have no row. */
  readonly teams: readonly string[]
  /** How many games each team’s schedule has. */
  readonly scheduled: ReadonlyMap<string, number>
  /** By day. */
  readonly games: readonly Played[]
}

/** Every team’s statistics at the end of one day, by team. */
export interface TeamDay {
  readonly day: string
  readonly teams: ReadonlyMap<string, Numbers>
}

/** Every calendar day from the season’s first game to its last played one. */
export function daysOf(games: readonly { readonly day: string }[]): string[] {
  const [first, last] = [games[0]?.day, games.at(-1)?.day]
  if (first === undefined || last === undefined) return []
  const days: string[] = []
  for (let day = first; day <= last; day = dayAfter(day)) days.push(day)
  return days
}

export const dayAfter = (day: string): string =>
  new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/**
 * The statistics of every team on each of `days`, which ascend: games through that day count. A team has a
 * row from the first day on; before its first game its averages are null.
 */
export function* teamDays(season: Season, days: readonly string[]): Generator<TeamDay> {
  const teams = new Map(
    season.teams.map((team) => [team, new TeamSeason(season.rules, season.scheduled.get(team) ?? 0)]),
  )
  const positions = new Map(season.teams.map((team, position) => [team, position]))
  const efficiencies: Efficiency[] = []
  let next = 0
  for (const day of days) {
    for (let game = season.games[next]; game && game.day <= day; game = season.games[++next]) {
      teams.get(game.home_team_id)?.play(game, 'home')
      teams.get(game.away_team_id)?.play(game, 'away')
      const efficiency = efficiencyOf(season.rules, game, positions)
      if (efficiency) efficiencies.push(efficiency)
    }
    const adjusted = adjustedEfficiency(teams.size, efficiencies, season.rules.home_edge)
    yield { day, teams: numbersOf(teams, adjusted, day) }
  }
}

function numbersOf(
  teams: ReadonlyMap<string, TeamSeason>,
  adjusted: readonly (number | null)[],
  day: string,
): Map<string, Numbers> {
  return new Map(
    Array.from(teams, ([team, season], position) => [
      team,
      season.statistics(day, adjusted[position] ?? null),
    ]),
  )
}

function efficiencyOf(
  rules: LeagueRules,
  game: Played,
  positions: ReadonlyMap<string, number>,
): Efficiency | null {
  const [home, away] = [positions.get(game.home_team_id), positions.get(game.away_team_id)]
  if (home === undefined || away === undefined || !game.home_line || !game.away_line) return null
  const home_efficiency = sportNumbers[rules.sport].efficiency(game.home_line, rules)
  const away_efficiency = sportNumbers[rules.sport].efficiency(game.away_line, rules)
  if (home_efficiency === null || away_efficiency === null) return null
  return { home, away, home_efficiency, away_efficiency, neutral: game.neutral_site === true }
}
