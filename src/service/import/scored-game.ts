import type { ScheduledGame, SideBox } from './basketball-tables.ts'
import { gameStatus } from './status.ts'
import type { GameStatus } from './status.ts'

/** A game with its boxscores, its state, and the score on which they and the schedule agree. */
export class ScoredGame {
  readonly game: ScheduledGame
  readonly status: GameStatus
  /** The boxscores of a finished game. */
  readonly sides: readonly SideBox[]
  readonly home_score: number | null
  readonly away_score: number | null
  /** Whether both boxscores have points to compare with the schedule. */
  readonly compared: boolean
  /** Whether the schedule has the two scores swapped; the boxscore is right. */
  readonly swapped: boolean
  /** Whether the schedule has 0–0, and the boxscore the score. */
  readonly unscored: boolean
  /** Whether they differ otherwise: the schedule has the official score, the boxscore lacks a play. */
  readonly disputed: boolean

  /** @param boxes by contest and team */
  constructor(game: ScheduledGame, boxes: ReadonlyMap<string, SideBox>) {
    const [home, away] = [game.home, game.away].map((team) => boxes.get(`${game.contest_id} ${team}`))
    const [homePoints, awayPoints] = [home?.line['points'] ?? null, away?.line['points'] ?? null]
    const sides = [away, home].filter((box) => box !== undefined)
    this.game = game
    this.status = gameStatus(game.said, game.home_score, game.away_score, sides.length)
    const played = this.status === 'final'
    this.compared = played && homePoints !== null && awayPoints !== null
    const agreed = game.home_score === homePoints && game.away_score === awayPoints
    this.sides = played ? sides : []
    this.swapped =
      this.compared && !agreed && game.home_score === awayPoints && game.away_score === homePoints
    this.unscored = this.compared && !agreed && game.home_score === 0 && game.away_score === 0
    this.disputed = this.compared && !agreed && !this.swapped && !this.unscored
    const isBoxRight = this.swapped || this.unscored
    this.home_score = !played ? null : isBoxRight ? homePoints : game.home_score
    this.away_score = !played ? null : isBoxRight ? awayPoints : game.away_score
  }
}

/** The share of contradicting boxscores above which none of the season is used. */
const believable = 0.02

/** Whether a season’s boxscores may be averaged: at most two in a hundred contradict the schedule. */
export function areBelievable(games: readonly Pick<ScoredGame, 'compared' | 'disputed'>[]): boolean {
  const compared = games.filter((game) => game.compared).length
  return games.filter((game) => game.disputed).length <= believable * compared
}
