import type { ScheduledGame, SideBox } from './ncaatables.ts'

/** A game with both boxes, and the score that they and the schedule agree on. */
export class ScoredGame {
  readonly game: ScheduledGame
  readonly sides: readonly SideBox[]
  readonly home_score: number | null
  readonly away_score: number | null
  /** The schedule has the two scores the wrong way round; the box is right. */
  readonly swapped: boolean
  /** The box and the schedule differ otherwise: the schedule is the official score, the box lacks a play. */
  readonly disputed: boolean

  constructor(game: ScheduledGame, boxes: ReadonlyMap<string, SideBox>) {
    const [home, away] = [game.home, game.away].map((team) => boxes.get(`${game.contest_id} ${team}`))
    const [homePoints, awayPoints] = [home?.line['points'] ?? null, away?.line['points'] ?? null]
    const complete = homePoints !== null && awayPoints !== null
    const agreed = game.home_score === homePoints && game.away_score === awayPoints
    this.game = game
    this.sides = [away, home].filter((box) => box !== undefined)
    this.swapped = complete && !agreed && game.home_score === awayPoints && game.away_score === homePoints
    this.disputed = complete && !agreed && !this.swapped
    this.home_score = this.swapped ? homePoints : game.home_score
    this.away_score = this.swapped ? awayPoints : game.away_score
  }
}
