import type { Row } from '../specification/tables.ts'
import { homeSpread, lineColumns } from './lines.ts'
import type { ClosingLine } from './lines.ts'

/** What is read of a line and of a prediction. */
export const moneyColumns = ['money_line_home', 'money_line_away'] as const
export const edgeLineColumns = [...lineColumns, ...moneyColumns] as const
export const predictionColumns = ['home_percentage', 'away_percentage', 'home_score', 'away_score'] as const
export type MoneyLines = Pick<Row<'odds'>, (typeof moneyColumns)[number]>
export type Predicted = Pick<Row<'prediction'>, (typeof predictionColumns)[number]>

/**
 * The chance that American odds stand for, the bookmaker's share included, 0 to 1. Null for odds between −100
 * and 100: there are none.
 */
export function impliedProbability(moneyLine: number | null): number | null {
  if (moneyLine === null || Math.abs(moneyLine) < 100) return null
  return moneyLine < 0 ? -moneyLine / (100 - moneyLine) : 100 / (100 + moneyLine)
}

export interface MarketChances {
  /** Chances without the bookmaker's share: they sum to one. */
  readonly home: number
  readonly away: number
  /** By how much both implied probabilities together are above one. */
  readonly vig: number
}

/**
 * What a line's two money lines say of a game, each side's share of the sum of both. Null where one of them
 * is missing.
 */
export function marketChances(line: MoneyLines | null): MarketChances | null {
  const home = impliedProbability(line?.money_line_home ?? null)
  const away = impliedProbability(line?.money_line_away ?? null)
  if (home === null || away === null) return null
  return { home: home / (home + away), away: away / (home + away), vig: home + away - 1 }
}

export interface Edge {
  /**
   * The predicted chance of each side less the market's, −1 to 1: above 0 the prediction likes the side
   * better. They sum to 0.
   */
  readonly home: number | null
  readonly away: number | null
  /** The predicted margin of the home team less the one that the spread stands for, in points. */
  readonly spread: number | null
  /** The predicted total less the line's, in points. */
  readonly total: number | null
}

/** A prediction held against a line, each part null where either side lacks it. */
export function edgeOf(prediction: Predicted, line: ClosingLine & MoneyLines): Edge {
  const market = marketChances(line)
  const { home_percentage, away_percentage, home_score, away_score } = prediction
  const spread = homeSpread(line)
  const margin = home_score === null || away_score === null ? null : home_score - away_score
  const total = home_score === null || away_score === null ? null : home_score + away_score
  return {
    home: difference(home_percentage, market?.home ?? null),
    away: difference(away_percentage, market?.away ?? null),
    spread: difference(margin, spread === null ? null : 0 - spread),
    total: difference(total, line.over ?? line.under),
  }
}

const difference = (value: number | null, less: number | null): number | null =>
  value === null || less === null ? null : value - less
