import type { Line } from './line.ts'

/** The totals of one column. */
interface Column {
  sum: number
  games: number
  most: number
}

/** Totals over several boxscores. A game whose column is null counts for the other columns alone. */
export class Tally {
  games: number
  private readonly columns = new Map<string, Column>()

  /** @param games games that are known to have been played, though nobody has their boxscores */
  constructor(games = 0) {
    this.games = games
  }

  add(line: Line): void {
    this.games += 1
    for (const name in line) {
      const value = line[name]
      if (value != null) this.count(name, value)
    }
  }

  private count(name: string, value: number): void {
    const column = this.columns.get(name)
    if (!column) return void this.columns.set(name, { sum: value, games: 1, most: value })
    column.sum += value
    column.games += 1
    if (value > column.most) column.most = value
  }

  /** The sum over the games with the column; null without one. */
  total(name: string): number | null {
    return this.columns.get(name)?.sum ?? null
  }

  /** The largest value of a game; null if none has the column. */
  most(name: string): number | null {
    return this.columns.get(name)?.most ?? null
  }

  /** The mean over the games with the column; null without one. */
  mean(name: string): number | null {
    const column = this.columns.get(name)
    return column ? column.sum / column.games : null
  }
}

/** `scale` times part over whole; null if either is unknown or the whole is 0. */
export const share = (part: number | null, whole: number | null, scale = 1): number | null =>
  part === null || whole === null || whole === 0 ? null : (scale * part) / whole

/** The sum of all; null if one is unknown. */
export const sum = (...values: (number | null)[]): number | null =>
  values.reduce((total, value) => (total === null || value === null ? null : total + value), 0)

/** The difference; null if either is unknown. */
export const difference = (value: number | null, less: number | null): number | null =>
  value === null || less === null ? null : value - less
