import { between, chance } from './random.ts'
import type { Random } from './random.ts'
import { FootballBook } from './football-book.ts'
import type { FootballTeam } from './football-book.ts'
import { passOf, penaltyOf, runOf } from './football-plays.ts'
import type { Outcome } from './football-plays.ts'
import { opponentOf, overtimeName, periodAfter, wallAt } from './timeline.ts'
import type { Period, Side, Timeline } from './timeline.ts'

const QUARTER = { wall: 2_700, seconds: 900 }
const BREAK = { wall: 1_200, seconds: 0 }
const OVERTIME = { wall: 900, seconds: 0 }
/** Points a game of home advantage for each side. */
const HOME = 1.8
/** Points a game for one more yard a play. */
const POINTS_OF_A_YARD = 7.6
const FIELD_GOAL_RANGE = 36

/**
 * Plays a game of college football: four quarters of 15 minutes, and untimed overtimes until somebody has
 * won.
 */
export function playFootball(random: Random, teams: Record<Side, FootballTeam>, neutral: boolean): Timeline {
  const game = new FootballGame(random, teams, neutral ? 0 : HOME)
  const first: Side = chance(random, 0.5) ? 'home' : 'away'
  game.half(['1st Quarter', '2nd Quarter'], first)
  game.begin('Halftime', BREAK)
  game.half(['3rd Quarter', '4th Quarter'], opponentOf(first))
  for (let extra = 1; game.tied(); extra++) game.overtime(extra, first)
  return game.timeline()
}

class FootballGame {
  readonly #random: Random
  readonly #teams: Record<Side, FootballTeam>
  readonly #home: number
  readonly #book: FootballBook
  readonly #periods: Period[] = []
  #side: Side = 'home'
  #toGoal = 75
  #down = 1
  #distance = 10
  /** The side that is to kick off next, if any. */
  #kicks: Side | null = null
  #second = 0

  constructor(random: Random, teams: Record<Side, FootballTeam>, home: number) {
    this.#random = random
    this.#teams = teams
    this.#home = home
    this.#book = new FootballBook(random, teams)
  }

  begin(name: string, length: { wall: number; seconds: number }): Period {
    const period = periodAfter(this.#periods, name, length.wall, length.seconds)
    this.#periods.push(period)
    return period
  }

  tied = (): boolean => this.#book.points.away === this.#book.points.home

  timeline(): Timeline {
    const last = this.#periods.at(-1)
    return {
      sport: 'football',
      periods: this.#periods,
      plays: this.#book.plays,
      duration: last ? last.start + last.wall : 0,
    }
  }

  half(quarters: readonly string[], receiver: Side) {
    this.#kicks = opponentOf(receiver)
    for (const name of quarters) this.#quarter(this.begin(name, QUARTER))
  }

  #quarter(period: Period) {
    this.#second = 0
    let minutes = 0
    while (this.#second < period.seconds) {
      const side = this.#kicks ? opponentOf(this.#kicks) : this.#side
      const start = this.#second
      const used = this.#kicks ? this.#kickOff(this.#kicks) : this.#snap()
      this.#second = Math.min(period.seconds, start + used)
      this.#book.credit(side, null, 'time_of_possession_seconds', this.#second - start)
      for (; minutes * 60 < this.#second; minutes++) this.#book.countMinute()
      this.#book.record(wallAt(period, this.#second))
    }
  }

  /** Each side has the ball once at the other's 25, again and again until the scores differ. */
  overtime(nth: number, first: Side) {
    const period = this.begin(overtimeName(nth), OVERTIME)
    for (const [turn, side] of [first, opponentOf(first)].entries()) {
      this.#start(side, 25)
      let at = period.start + (turn * period.wall) / 2
      while (this.#side === side && !this.#kicks) {
        this.#snap()
        at = Math.min(at + 30, period.start + ((turn + 1) * period.wall) / 2 - 1)
        this.#book.record(at)
      }
      this.#kicks = null
    }
  }

  #start(side: Side, toGoal: number) {
    this.#side = side
    this.#toGoal = Math.min(99, Math.max(1, toGoal))
    this.#down = 1
    this.#distance = Math.min(10, this.#toGoal)
  }

  #kickOff(kicks: Side): number {
    this.#kicks = null
    const receiver = opponentOf(kicks)
    if (chance(this.#random, 0.6)) {
      this.#start(receiver, 75)
      return 0
    }
    const touchdown = chance(this.#random, 0.006)
    const yards = touchdown ? 98 : between(this.#random, 14, 36)
    this.#book.kickReturn(receiver, yards, touchdown)
    if (touchdown) this.#kicks = receiver
    else this.#start(receiver, 98 - yards)
    return between(this.#random, 5, 9)
  }

  /** One play from scrimmage; its length on the game clock in seconds. */
  #snap(): number {
    if (chance(this.#random, 0.07)) return this.#penalty()
    if (this.#down === 4 && !this.#goesForIt()) return this.#fourthDownKick()
    const pass = chance(this.#random, this.#distance > 6 ? 0.58 : 0.42)
    const outcome = (pass ? passOf : runOf)(this.#random, this.#better(), this.#toGoal)
    this.#book.scrimmage(this.#side, outcome, this.#downAndDistance())
    this.#follow(outcome)
    return between(this.#random, 14, outcome.stopsClock ? 22 : 40)
  }

  #downAndDistance = () => ({ down: this.#down, distance: this.#distance })

  #better(): number {
    const crowd = this.#side === 'home' ? this.#home : -this.#home
    const other = this.#teams[opponentOf(this.#side)]
    return (this.#teams[this.#side].offense - other.defense + crowd) / POINTS_OF_A_YARD
  }

  #goesForIt(): boolean {
    return this.#distance <= 2 && this.#toGoal < 60 && chance(this.#random, 0.45)
  }

  #follow(outcome: Outcome) {
    if (outcome.touchdown === 'offense') this.#kicks = this.#side
    else if (outcome.touchdown === 'defense') this.#kicks = opponentOf(this.#side)
    else if (outcome.lost) this.#start(opponentOf(this.#side), 100 - this.#toGoal + outcome.spot)
    else this.#gain(outcome.yards)
  }

  #gain(yards: number) {
    this.#toGoal = Math.min(99, this.#toGoal - yards)
    this.#distance -= yards
    if (this.#distance <= 0) this.#start(this.#side, this.#toGoal)
    else if (this.#down === 4) this.#start(opponentOf(this.#side), 100 - this.#toGoal)
    else this.#down++
  }

  #penalty(): number {
    const { offense, yards } = penaltyOf(this.#random, this.#toGoal)
    const first = !offense && yards >= this.#distance
    this.#book.penalty(offense ? this.#side : opponentOf(this.#side), yards, first ? this.#side : null)
    const moved = offense ? -Math.min(yards, 99 - this.#toGoal) : yards
    this.#toGoal -= moved
    this.#distance = Math.min(this.#distance - moved, this.#toGoal)
    if (first) this.#start(this.#side, this.#toGoal)
    return 5
  }

  #fourthDownKick(): number {
    if (this.#toGoal <= FIELD_GOAL_RANGE) this.#fieldGoal()
    else this.#punt()
    return between(this.#random, 5, 10)
  }

  #fieldGoal() {
    const distance = this.#toGoal + 17
    const made = chance(this.#random, Math.min(0.97, 1.28 - distance * 0.0135))
    this.#book.fieldGoal(this.#side, distance, made)
    if (made) this.#kicks = this.#side
    else this.#start(opponentOf(this.#side), Math.min(80, 93 - this.#toGoal))
  }

  #punt() {
    const receiver = opponentOf(this.#side)
    const yards = Math.min(this.#toGoal, between(this.#random, 34, 54))
    this.#book.punt(this.#side, yards)
    const landed = 100 - this.#toGoal + yards
    if (landed === 100) return this.#start(receiver, 80)
    if (!chance(this.#random, 0.45)) return this.#start(receiver, landed)
    const touchdown = chance(this.#random, 0.012)
    const back = touchdown ? landed : Math.min(landed - 1, between(this.#random, 0, 17))
    this.#book.puntReturn(receiver, back, touchdown)
    if (touchdown) this.#kicks = receiver
    else this.#start(receiver, landed - back)
  }
}
