import type { Line } from '../league/facts.ts'

/** What was counted over several boxscores. A game whose column is null counts for the other columns alone. */
export class Tally {
  games: number
  private readonly sums = new Map<string, number>()
  private readonly counted = new Map<string, number>()
  private readonly peaks = new Map<string, number>()

  /** @param games games that are known to have been played, though nobody has their boxscores */
  constructor(games = 0) {
    this.games = games
  }

  add(line: Line): void {
    this.games += 1
    for (const [name, value] of Object.entries(line)) {
      if (value === null) continue
      this.sums.set(name, (this.sums.get(name) ?? 0) + value)
      this.counted.set(name, (this.counted.get(name) ?? 0) + 1)
      this.peaks.set(name, Math.max(this.peaks.get(name) ?? value, value))
    }
  }

  /** The sum over the games that have the column; null where none has. */
  total(name: string): number | null {
    return this.sums.get(name) ?? null
  }

  /** The largest value of one game; null where none has the column. */
  most(name: string): number | null {
    return this.peaks.get(name) ?? null
  }

  /** The mean over the games that have the column; null where none has. */
  mean(name: string): number | null {
    const sum = this.sums.get(name)
    return sum === undefined ? null : sum / (this.counted.get(name) ?? 1)
  }
}

/** `scale` times part over whole; null where either is unknown or the whole is nothing. */
export const share = (part: number | null, whole: number | null, scale = 1): number | null =>
  part === null || whole === null || whole === 0 ? null : (scale * part) / whole

/** The sum of all, null where one is unknown. */
export const sum = (...values: (number | null)[]): number | null =>
  values.reduce((total, value) => (total === null || value === null ? null : total + value), 0)

/** One less another, null where either is unknown. */
export const difference = (value: number | null, less: number | null): number | null =>
  value === null || less === null ? null : value - less
