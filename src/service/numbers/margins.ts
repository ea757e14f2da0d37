import type { Fixture, Result } from './result.ts'
import type { MarginRule } from './rules.ts'

interface Meeting {
  readonly home: number
  readonly away: number
  /** The home team’s margin, home advantage taken out. */
  readonly margin: number
}

const enough = 1e-3
const patience = 60

/**
 * By how many points each team beats an average one: the ratings that explain all margins so far with the least squares, each team drawn towards
 * the average by its prior games. Kenneth Massey, “Statistical Models Applied to the Rating of Sports Teams” (1997), solved by repeated substitution.
 */
export class MarginRatings {
  private readonly rule: MarginRule
  private readonly positions: ReadonlyMap<string, number>
  private readonly meetings: Meeting[] = []
  private ratings: Float64Array<ArrayBuffer>
  private stale = false

  constructor(teams: readonly string[], rule: MarginRule) {
    this.rule = rule
    this.positions = new Map(teams.map((team, position) => [team, position]))
    this.ratings = new Float64Array(teams.length)
  }

  /** Takes a finished game in. One against an opponent from outside the division says nothing of the division. */
  add(game: Result): void {
    const [home, away] = [this.positions.get(game.home_team_id), this.positions.get(game.away_team_id)]
    if (home === undefined || away === undefined) return
    this.meetings.push({ home, away, margin: game.home_score - game.away_score - this.homePoints(game) })
    this.stale = true
  }

  /** The home team’s expected margin, in points. */
  expected(game: Pick<Fixture, 'home_team_id' | 'away_team_id' | 'neutral_site'>): number {
    if (this.stale) this.solve()
    return this.of(game.home_team_id) - this.of(game.away_team_id) + this.homePoints(game)
  }

  private of(team: string): number {
    const position = this.positions.get(team)
    return position === undefined ? this.rule.outsider : (this.ratings[position] ?? 0)
  }

  private homePoints(game: Pick<Fixture, 'neutral_site'>): number {
    return game.neutral_site ? 0 : this.rule.home_points
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
    const sums = new Float64Array(this.ratings.length)
    const games = new Float64Array(this.ratings.length).fill(this.rule.prior_games)
    for (const { home, away, margin } of this.meetings) {
      sums[home]! += margin + this.ratings[away]!
      sums[away]! += this.ratings[home]! - margin
      games[home]! += 1
      games[away]! += 1
    }
    return sums.map((sum, team) => sum / games[team]!)
  }
}
