import { below, between, chance, weighted } from './random.ts'
import type { Random } from './random.ts'
import { rotationOf } from './rotation.ts'
import type { Rotation } from './rotation.ts'
import type { BasketballSkills } from './skills.ts'
import { opponentOf, overtimeName, periodAfter, sides, wallAt } from './timeline.ts'
import type { Credit, Period, Play, Side, Timeline } from './timeline.ts'

/**
 * A side as it takes the floor. `offense` and `defense` are points a game better than the average team,
 * `tempo` is the length of its possessions as a multiple of the usual one.
 */
export interface BasketballTeam {
  readonly offense: number
  readonly defense: number
  readonly tempo: number
  readonly players: readonly BasketballSkills[]
}

const HALF = { wall: 3_300, seconds: 1_200 }
const BREAK = { wall: 1_200, seconds: 0 }
const OVERTIME = { wall: 780, seconds: 300 }
/** Points a game that the home crowd is worth to each side. */
const HOME = 1.6
/** Converts a share of shots made, 0 to 1, to points a game. */
const POINTS_OF_A_SHARE = 80
/**
 * A side plays this many points a game worse for each point of its lead, and better for each point that it is
 * behind.
 */
const EASE = 0.25
const TEAM_FOULS_BEFORE_BONUS = 6

/**
 * Plays a game of college basketball: two halves of 20 minutes, and overtimes of 5 until somebody has won.
 */
export function playBasketball(
  random: Random,
  teams: Record<Side, BasketballTeam>,
  neutral: boolean,
): Timeline {
  const game = new BasketballGame(random, teams, neutral ? 0 : HOME)
  const first: Side = chance(random, 0.5) ? 'home' : 'away'
  game.play(game.begin('1st Half', HALF), first)
  game.begin('Halftime', BREAK)
  game.play(game.begin('2nd Half', HALF), opponentOf(first))
  for (let extra = 1; game.tied(); extra++) game.play(game.begin(overtimeName(extra), OVERTIME), first)
  return game.timeline()
}

class BasketballGame {
  readonly #random: Random
  readonly #teams: Record<Side, BasketballTeam>
  readonly #home: number
  readonly #periods: Period[] = []
  readonly #plays: Play[] = []
  readonly #rotations: Record<Side, Rotation>
  readonly #points: Record<Side, number> = { away: 0, home: 0 }
  readonly #fouls: Record<Side, number[]>
  #floor: Record<Side, readonly number[]> = { away: [], home: [] }
  #teamFouls: Record<Side, number> = { away: 0, home: 0 }
  #credits: Credit[] = []
  #minute = 0

  constructor(random: Random, teams: Record<Side, BasketballTeam>, home: number) {
    this.#random = random
    this.#teams = teams
    this.#home = home
    this.#rotations = { away: rotationOf(teams.away.players), home: rotationOf(teams.home.players) }
    this.#fouls = { away: teams.away.players.map(() => 0), home: teams.home.players.map(() => 0) }
  }

  begin(name: string, length: { wall: number; seconds: number }): Period {
    const period = periodAfter(this.#periods, name, length.wall, length.seconds)
    this.#periods.push(period)
    return period
  }

  tied = (): boolean => this.#points.away === this.#points.home

  timeline(): Timeline {
    const last = this.#periods.at(-1)
    return {
      sport: 'basketball',
      periods: this.#periods,
      plays: this.#plays,
      duration: last ? last.start + last.wall : 0,
    }
  }

  play(period: Period, first: Side) {
    if (!period.name.includes('Overtime')) this.#teamFouls = { away: 0, home: 0 }
    let side = first
    let second = this.#length(side, 8, 25)
    let minutes = 0
    while (second < period.seconds) {
      for (; minutes * 60 <= second; minutes++) this.#startMinute(period, minutes)
      const kept = this.#possess(side)
      this.#record(wallAt(period, second))
      if (!kept) side = opponentOf(side)
      second += kept ? this.#length(side, 4, 14) : this.#length(side, 6, 26)
    }
    for (; minutes * 60 < period.seconds; minutes++) this.#startMinute(period, minutes)
  }

  /** How long a side has the ball, in seconds: whole ones, so that machines cannot differ. */
  #length = (side: Side, low: number, high: number): number =>
    Math.max(1, Math.round(between(this.#random, low, high) * this.#teams[side].tempo))

  #startMinute(period: Period, minute: number) {
    for (const side of sides) {
      this.#floor[side] = this.#rotations[side].floor(
        this.#minute,
        (player) => this.#fouls[side][player] ?? 0,
      )
      for (const player of this.#floor[side]) this.#credit(side, player, 'minutes_played')
    }
    this.#minute++
    this.#record(wallAt(period, minute * 60))
  }

  #record(at: number) {
    if (this.#credits.length > 0) this.#plays.push({ at, credits: this.#credits })
    this.#credits = []
  }

  #credit(side: Side, player: number, column: string, amount = 1) {
    this.#credits.push({ side, player, column, amount })
    if (column === 'points') this.#points[side] += amount
  }

  /** One attempt of a side; true if it keeps the ball. */
  #possess(side: Side): boolean {
    const roll = this.#random()
    if (roll < 0.16) return this.#turnOver(side)
    if (roll < 0.235) return this.#commonFoul(side)
    return this.#shoot(side)
  }

  #turnOver(side: Side): boolean {
    const player = this.#choose(side, 'passing')
    this.#credit(side, player, 'turnovers')
    const roll = this.#random()
    if (roll < 0.54) this.#credit(opponentOf(side), this.#choose(opponentOf(side), 'stealing'), 'steals')
    else if (roll < 0.68) this.#foul(side, player)
    return false
  }

  #commonFoul(side: Side): boolean {
    this.#foul(opponentOf(side))
    if (this.#teamFouls[opponentOf(side)] <= TEAM_FOULS_BEFORE_BONUS) return true
    return this.#freeThrows(side, this.#choose(side, 'usage'), 2)
  }

  #foul(side: Side, player = this.#anyOf(side)) {
    this.#credit(side, player, 'fouls')
    this.#teamFouls[side]++
    const fouls = this.#fouls[side]
    fouls[player] = (fouls[player] ?? 0) + 1
  }

  #shoot(side: Side): boolean {
    const player = this.#choose(side, 'usage')
    const skills = this.#skills(side, player)
    const three = chance(this.#random, skills.three)
    const fouled = chance(this.#random, three ? 0.025 : 0.23)
    const made = chance(this.#random, this.#shareMade(side, skills, three) * (fouled ? 0.5 : 1))
    if (fouled) this.#foul(opponentOf(side))
    if (made || !fouled) this.#attempt(side, player, three, made)
    if (fouled) return this.#freeThrows(side, player, made ? 1 : three ? 3 : 2)
    return made ? false : this.#miss(side, three)
  }

  #shareMade(side: Side, skills: BasketballSkills, three: boolean): number {
    const crowd = side === 'home' ? this.#home : -this.#home
    const other = opponentOf(side)
    const lead = this.#points[side] - this.#points[other]
    const better = this.#teams[side].offense - this.#teams[other].defense + crowd - EASE * lead
    return (three ? 0.345 : 0.508) + skills.touch + better / POINTS_OF_A_SHARE
  }

  #attempt(side: Side, player: number, three: boolean, made: boolean) {
    const shot = three ? 'three_point_field_goal' : 'two_point_field_goal'
    this.#credit(side, player, 'field_goal_attempts')
    this.#credit(side, player, `${shot}_attempts`)
    if (!made) return
    this.#credit(side, player, 'field_goal')
    this.#credit(side, player, shot)
    this.#credit(side, player, 'points', three ? 3 : 2)
    if (chance(this.#random, three ? 0.9 : 0.57)) this.#assist(side, player)
  }

  #assist(side: Side, scorer: number) {
    const passer = this.#choose(side, 'passing')
    if (passer !== scorer) this.#credit(side, passer, 'assists')
  }

  #miss(side: Side, three: boolean): boolean {
    const other = opponentOf(side)
    if (!three && chance(this.#random, 0.2)) this.#credit(other, this.#choose(other, 'blocking'), 'blocks')
    return this.#rebound(side)
  }

  #rebound(side: Side): boolean {
    const kept = chance(this.#random, 0.28)
    const winner = kept ? side : opponentOf(side)
    const player = this.#choose(winner, 'rebounding')
    this.#credit(winner, player, kept ? 'offensive_rebounds' : 'defensive_rebounds')
    this.#credit(winner, player, 'total_rebounds')
    return kept
  }

  #freeThrows(side: Side, player: number, count: number): boolean {
    const { freeThrow } = this.#skills(side, player)
    let made = false
    for (let nth = 0; nth < count; nth++) {
      made = chance(this.#random, freeThrow)
      this.#credit(side, player, 'free_throw_attempts')
      if (!made) continue
      this.#credit(side, player, 'free_throws')
      this.#credit(side, player, 'points')
    }
    return made ? false : this.#rebound(side)
  }

  #skills(side: Side, player: number): BasketballSkills {
    const skills = this.#teams[side].players[player]
    if (!skills) throw new RangeError('only players of the roster are on the floor')
    return skills
  }

  /** Someone on the floor who has not fouled out, by the weight of a skill. */
  #choose(side: Side, skill: 'usage' | 'passing' | 'stealing' | 'blocking' | 'rebounding'): number {
    const weights = this.#floor[side].map((player) =>
      this.#out(side, player) ? 0 : this.#skills(side, player)[skill],
    )
    return this.#floor[side][weighted(this.#random, weights)] ?? 0
  }

  #anyOf(side: Side): number {
    const able = this.#floor[side].filter((player) => !this.#out(side, player))
    return able[below(this.#random, able.length)] ?? 0
  }

  #out = (side: Side, player: number): boolean => (this.#fouls[side][player] ?? 0) >= 5
}
