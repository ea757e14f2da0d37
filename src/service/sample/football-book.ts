import { chance, weighted } from './random.ts'
import type { Random } from './random.ts'
import type { Outcome } from './football-plays.ts'
import type { FootballRole, FootballSkills } from './skills.ts'
import { opponentOf, sides } from './timeline.ts'
import type { Credit, Play, Side } from './timeline.ts'

/** A side in a game. `offense` and `defense` are points a game above the average team. */
export interface FootballTeam {
  readonly offense: number
  readonly defense: number
  readonly players: readonly FootballSkills[]
}

interface DownAndDistance {
  readonly down: number
  readonly distance: number
}

/** The statistics of a football game. The game decides what happens; the book chooses the players. */
export class FootballBook {
  readonly plays: Play[] = []
  readonly points: Record<Side, number> = { away: 0, home: 0 }
  readonly #random: Random
  readonly #teams: Record<Side, FootballTeam>
  #credits: Credit[] = []

  constructor(random: Random, teams: Record<Side, FootballTeam>) {
    this.#random = random
    this.#teams = teams
  }

  /** Closes a play at a moment of the wall clock. */
  record(at: number) {
    if (this.#credits.length > 0) this.plays.push({ at, credits: this.#credits })
    this.#credits = []
  }

  credit(side: Side, player: number | null, column: string, amount = 1) {
    this.#credits.push({ side, player, column, amount })
    if (column === 'points') this.points[side] += amount
  }

  countMinute() {
    for (const side of sides) this.credit(side, null, 'minutes_played')
  }

  scrimmage(side: Side, outcome: Outcome, { down, distance }: DownAndDistance) {
    if (outcome.kind === 'run') this.#run(side, outcome)
    else if (outcome.kind === 'sack') this.#sack(side, outcome)
    else this.#pass(side, outcome)
    this.#countDown(side, outcome, down, distance)
  }

  penalty(side: Side, yards: number, firstDownTo: Side | null) {
    this.credit(side, null, 'penalties')
    this.credit(side, null, 'penalty_yards', yards)
    if (firstDownTo) this.credit(firstDownTo, null, 'first_downs')
  }

  fieldGoal(side: Side, distance: number, made: boolean) {
    const kicker = this.#choose(side, 'kicking')
    this.credit(side, kicker, 'field_goals_attempted')
    if (!made) return
    this.credit(side, kicker, 'field_goals_made')
    this.credit(side, kicker, 'field_goals_longest_made', distance)
    this.credit(side, kicker, 'points', 3)
  }

  punt(side: Side, yards: number) {
    this.#carry(side, this.#choose(side, 'punting'), 'punts', 'punt', yards)
  }

  puntReturn(side: Side, yards: number, touchdown: boolean) {
    const player = this.#choose(side, 'returning')
    this.#carry(side, player, 'punt_returns', 'punt_return', yards)
    if (touchdown) this.#touchdown(side, player, 'punt_return_touchdowns')
  }

  kickReturn(side: Side, yards: number, touchdown: boolean) {
    const player = this.#choose(side, 'returning')
    this.#carry(side, player, 'kick_returns', 'kick_return', yards)
    if (touchdown) this.#touchdown(side, player, 'kick_return_touchdowns')
  }

  #carry(side: Side, player: number, count: string, stem: string, yards: number) {
    this.credit(side, player, count)
    this.credit(side, player, `${stem}_yards`, yards)
    this.credit(side, player, `${stem}_long`, yards)
  }

  #rush(side: Side, player: number, yards: number) {
    this.#carry(side, player, 'rushing_attempts', 'rushing', yards)
    this.credit(side, player, yards < 0 ? 'rushing_yards_lost' : 'rushing_yards_gained', Math.abs(yards))
  }

  #run(side: Side, outcome: Outcome) {
    const runner = this.#choose(side, 'rushing')
    this.#rush(side, runner, outcome.yards)
    if (outcome.touchdown === 'offense') this.#touchdown(side, runner, 'rushing_touchdowns')
    else this.#tackle(opponentOf(side), outcome.yards < 0)
    if (outcome.fumbled) this.#fumble(side, runner, outcome)
  }

  // College football counts a sack as a run of the passer.
  #sack(side: Side, outcome: Outcome) {
    const passer = this.#choose(side, 'passing')
    const rusher = this.#choose(opponentOf(side), 'rush')
    this.#rush(side, passer, outcome.yards)
    for (const column of ['sacks', 'solo_tackles', 'tackles_for_loss'])
      this.credit(opponentOf(side), rusher, column)
    if (outcome.fumbled) this.#fumble(side, passer, outcome)
  }

  #pass(side: Side, outcome: Outcome) {
    const passer = this.#choose(side, 'passing')
    this.credit(side, passer, 'passing_attempts')
    if (outcome.kind === 'complete') this.#complete(side, passer, outcome)
    else if (outcome.kind === 'intercepted') this.#intercept(side, passer, outcome)
    else this.#incomplete(opponentOf(side))
  }

  #complete(side: Side, passer: number, outcome: Outcome) {
    const receiver = this.#choose(side, 'receiving')
    this.#carry(side, passer, 'passing_completions', 'passing', outcome.yards)
    this.#carry(side, receiver, 'receptions', 'receiving', outcome.yards)
    if (outcome.touchdown === 'offense') {
      this.credit(side, passer, 'passing_touchdowns')
      this.#touchdown(side, receiver, 'receiving_touchdowns')
    } else this.#tackle(opponentOf(side), outcome.yards < 0)
    if (outcome.fumbled) this.#fumble(side, receiver, outcome)
  }

  #intercept(side: Side, passer: number, outcome: Outcome) {
    const other = opponentOf(side)
    const thief = this.#choose(other, 'coverage')
    this.credit(side, passer, 'passing_interceptions')
    this.credit(other, thief, 'interceptions')
    this.credit(other, thief, 'passes_defended')
    this.credit(other, thief, 'interception_return_yards', outcome.returned)
    if (outcome.touchdown) this.#touchdown(other, thief, 'interception_return_touchdowns')
    else this.#tackle(side, false)
  }

  #incomplete(defense: Side) {
    const roll = this.#random()
    if (roll < 0.3) this.credit(defense, this.#choose(defense, 'coverage'), 'passes_defended')
    else if (roll < 0.45) this.credit(defense, this.#choose(defense, 'rush'), 'quarterback_hurries')
  }

  #fumble(side: Side, player: number, outcome: Outcome) {
    this.credit(side, player, 'fumbles')
    if (!outcome.lost) return
    const other = opponentOf(side)
    const finder = this.#choose(other, 'tackling')
    this.credit(side, player, 'fumbles_lost')
    this.credit(other, finder, 'fumbles_recovered')
    if (outcome.touchdown === 'defense') this.#touchdown(other, finder, 'fumble_return_touchdowns')
  }

  #tackle(side: Side, forLoss: boolean) {
    const tackler = this.#choose(side, 'tackling')
    if (forLoss) this.credit(side, tackler, 'tackles_for_loss')
    if (chance(this.#random, 0.62)) return this.credit(side, tackler, 'solo_tackles')
    for (const player of new Set([tackler, this.#choose(side, 'tackling')]))
      this.credit(side, player, 'assisted_tackles')
  }

  #touchdown(side: Side, player: number, column: string) {
    this.credit(side, player, column)
    this.credit(side, player, 'points', 6)
    const kicker = this.#choose(side, 'kicking')
    this.credit(side, kicker, 'extra_points_attempted')
    if (!chance(this.#random, 0.96)) return
    this.credit(side, kicker, 'extra_points_made')
    this.credit(side, kicker, 'points')
  }

  #countDown(side: Side, outcome: Outcome, down: number, distance: number) {
    const kept = !outcome.lost
    const through = kept && (outcome.yards >= distance || outcome.touchdown === 'offense')
    if (through) this.credit(side, null, 'first_downs')
    this.#countConversion(side, down, through)
    const wanted = distance * (down === 1 ? 0.5 : down === 2 ? 0.7 : 1)
    const column = outcome.kind === 'run' ? 'successful_rush_plays' : 'successful_pass_plays'
    if (kept && (through || outcome.yards >= wanted)) this.credit(side, null, column)
  }

  #countConversion(side: Side, down: number, through: boolean) {
    if (down < 3) return
    const stem = down === 3 ? 'third_down' : 'fourth_down'
    this.credit(side, null, `${stem}_attempts`)
    if (through) this.credit(side, null, `${stem}_conversions`)
  }

  #choose(side: Side, role: FootballRole): number {
    return weighted(
      this.#random,
      this.#teams[side].players.map((player) => player[role]),
    )
  }
}
