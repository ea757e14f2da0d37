import { initialRating } from './elo.ts'
import type { Rated } from './elo.ts'
import type { Fixture, Result } from './result.ts'
import type { MarginRule } from './rules.ts'

export type Pairing = Pick<Fixture, 'home_team_id' | 'away_team_id' | 'neutral_site' | 'conference'>

interface Meeting {
  readonly home: number
  readonly away: number
  /** The home team’s margin without home advantage. */
  readonly margin: number
}

const enough = 1e-3
const patience = 60

/**
 * How many points each team is better than an average one: the ratings that fit all margins so far by least
 * squares. Each team is pulled towards its rating from the season before, or the average, with the weight
 * of its prior games. Kenneth Massey, “Statistical Models Applied to the Rating of Sports Teams” (1997), solved
 * by repeated substitution.
 */
export class MarginRatings {
  private readonly rule: MarginRule
  private readonly positions: ReadonlyMap<string, number>
  private readonly meetings: Meeting[] = []
  /** Every team's initial rating, and the number of games that it counts for. */
  private readonly opening: Float64Array<ArrayBuffer>
  private readonly weight: Float64Array<ArrayBuffer>
  private readonly games: Float64Array<ArrayBuffer>
  private ratings: Float64Array<ArrayBuffer>
  private stale = false

  /** @param opening the Elo ratings that the season begins with */
  constructor(teams: readonly string[], rule: MarginRule, opening: ReadonlyMap<string, Rated> = new Map()) {
    const rated = teams.map((team) => opening.get(team))
    this.rule = rule
    this.positions = new Map(teams.map((team, position) => [team, position]))
    this.opening = Float64Array.from(rated, (team) =>
      team ? (team.rating - initialRating) * rule.elo_points : 0,
    )
    this.weight = Float64Array.from(
      rated,
      (team) => rule.prior_games + (team?.carried ? rule.carried_games : 0),
    )
    this.games = new Float64Array(teams.length)
    this.ratings = this.opening.slice()
  }

  /** Adds a finished game. Games against teams from outside the division are ignored. */
  add(game: Result): void {
    const [home, away] = [this.positions.get(game.home_team_id), this.positions.get(game.away_team_id)]
    if (home === undefined || away === undefined) return
    this.meetings.push({ home, away, margin: game.home_score - game.away_score - this.homePoints(game) })
    this.games[home]! += 1
    this.games[away]! += 1
    this.stale = true
  }

  /** The home team’s expected margin, in points. */
  expected(game: Pairing): number {
    if (this.stale) this.solve()
    const margin = this.of(game.home_team_id) - this.of(game.away_team_id)
    return margin + this.homePoints(game) + this.rule.host_points * this.hosting(game)
  }

  /** How much an invitation counts: 1 before both teams' first games, 0 in leagues without invitations. */
  hosting(game: Pairing): number {
    if (game.neutral_site || game.conference) return 0
    return (this.unknown(game.home_team_id) + this.unknown(game.away_team_id)) / 2
  }

  private of(team: string): number {
    const position = this.positions.get(team)
    return position === undefined ? this.rule.outsider : (this.ratings[position] ?? 0)
  }

  private homePoints(game: Pick<Fixture, 'neutral_site'>): number {
    return game.neutral_site ? 0 : this.rule.home_points
  }

  /** The share of a team’s rating that is not yet based on games, 0 to 1. Fixed for a team from outside. */
  private unknown(team: string): number {
    const position = this.positions.get(team)
    if (position === undefined) return 0
    return this.rule.prior_games / (this.games[position]! + this.weight[position]!)
  }

  private solve(): void {
    this.stale = false
    for (let round = 0; round < patience; round++) {
      const next = this.improved()
      const moved = next.reduce((most, value, at) => Math.max(most, Math.abs(value - this.ratings[at]!)), 0)
      this.ratings = next
      if (moved < enough) return
    }
  }

  private improved(): Float64Array<ArrayBuffer> {
    const sums = this.opening.map((points, team) => points * this.weight[team]!)
    for (const { home, away, margin } of this.meetings) {
      sums[home]! += margin + this.ratings[away]!
      sums[away]! += this.ratings[home]! - margin
    }
    return sums.map((sum, team) => sum / (this.games[team]! + this.weight[team]!))
  }
}
