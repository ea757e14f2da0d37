/** How a game ended. */
export interface Outcome {
  readonly game_id: string
  /** Whether the home team has won. */
  readonly won: boolean
}

/** What is assumed before a season's first game: the factor 1, with the weight of about 250 games. */
const prior = 200

/** After this many days, what a game has shown counts half. */
const halfLife = 35

/** Seasons do not differ by more. What lies beyond is chance, or a fault of the data. */
const [lowest, highest] = [0.5, 2]

/**
 * How bold the predictions of a season may be: a factor of their log odds. Weights that are right for one season
 * are too bold or too cautious for another. So the factor follows from the games of earlier days: one step of
 * Newton's method on their log loss for each day, where a game adds p (1 − p) logOdds² to what is known.
 */
export class Confidence {
  private readonly said = new Map<string, number>()
  private factor = 1
  private known = prior
  private lastDay: number | undefined

  /** The log odds of a game with confidence. How the game ends is to be learned later. */
  scale(game_id: string, logOdds: number): number {
    this.said.set(game_id, logOdds)
    return this.factor * logOdds
  }

  /**
   * Learns from the games of one day. Games of which nothing was said are ignored.
   * @param day the date of the games, `YYYY-MM-DD`
   */
  learn(day: string, outcomes: readonly Outcome[]): void {
    let [slope, shown] = [0, 0]
    for (const { game_id, won } of outcomes) {
      const logOdds = this.said.get(game_id) ?? 0
      const chance = 1 / (1 + Math.exp(-this.factor * logOdds))
      slope += (Number(won) - chance) * logOdds
      shown += chance * (1 - chance) * logOdds ** 2
    }
    this.known = Math.max(prior, this.known * this.fading(day) + shown)
    this.factor = Math.min(highest, Math.max(lowest, this.factor + slope / this.known))
  }

  /** What is left of earlier games since the last day, 0 to 1. A day that is learned late fades nothing. */
  private fading(day: string): number {
    const today = Date.parse(day) / 86_400_000
    const last = this.lastDay ?? today
    this.lastDay = Math.max(last, today)
    return 0.5 ** ((this.lastDay - last) / halfLife)
  }
}
