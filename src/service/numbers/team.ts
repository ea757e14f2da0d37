import type { Numbers, TeamFormula } from './formula.ts'
import { indicesOf } from './indices.ts'
import type { GameOutcome } from './indices.ts'
import type { Line } from './line.ts'
import { WinsAndLosses } from './record.ts'
import type { Side } from './record.ts'
import type { Played } from './result.ts'
import type { LeagueRules } from './rules.ts'
import { sportNumbers } from './sports.ts'
import { Tally } from './tally.ts'

/** One team’s season, game by game. */
export class TeamSeason {
  private readonly record = new WinsAndLosses()
  private readonly own = new Tally()
  private readonly opponents = new Tally()
  private readonly outcomes: GameOutcome[] = []
  private readonly formulas: readonly (readonly [string, TeamFormula])[]
  private readonly scheduled: number
  /** Null after a game, until it is computed again. */
  private averages: ReadonlyMap<string, number | null> | null = null

  constructor(rules: LeagueRules, scheduled: number) {
    this.formulas = Object.entries(sportNumbers[rules.sport].team(rules))
    this.scheduled = scheduled
  }

  play(game: Played, side: Side): void {
    this.record.add(game, side)
    this.outcomes.push(outcomeOf(game, side))
    const [ours, theirs] =
      side === 'home' ? [game.home_line, game.away_line] : [game.away_line, game.home_line]
    if (ours) this.own.add(ours)
    if (theirs) this.opponents.add(theirs)
    this.averages = null
  }

  /**
   * Every statistic of the team’s row on a day. `adjusted`, its adjusted efficiency, is computed from the whole
   * division.
   */
  statistics(day: string, adjusted: number | null): Numbers {
    const counts: Line = {
      total_games: this.scheduled,
      games: this.outcomes.length,
      adjusted_efficiency_rating: adjusted,
      ...this.record.statistics(),
      ...indicesOf(this.outcomes, day),
    }
    const averages = (this.averages ??= this.recount())
    return (name) => counts[name] ?? averages.get(name) ?? null
  }

  private recount(): ReadonlyMap<string, number | null> {
    return new Map(this.formulas.map(([name, formula]) => [name, formula(this.own, this.opponents)]))
  }
}

function outcomeOf(game: Played, side: Side): GameOutcome {
  const margin = game.home_score - game.away_score
  const home = side === 'home'
  return {
    day: game.day,
    won: 0.5 + Math.sign(home ? margin : -margin) / 2,
    chance: game.home_chance === null || home ? game.home_chance : 1 - game.home_chance,
  }
}
