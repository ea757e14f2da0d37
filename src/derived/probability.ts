import type { Row } from '../specification/tables.ts'
import { homeSpread, lineColumns } from './lines.ts'
import type { ClosingLine } from './lines.ts'

/** The columns needed of a line and of a prediction. */
export const moneyColumns = ['money_line_home', 'money_line_away'] as const
export const edgeLineColumns = [...lineColumns, ...moneyColumns] as const
export const predictionColumns = ['home_percentage', 'away_percentage', 'home_score', 'away_score'] as const
export type MoneyLines = Pick<Row<'odds'>, (typeof moneyColumns)[number]>
export type Predicted = Pick<Row<'prediction'>, (typeof predictionColumns)[number]>

/**
 * The probability that American odds imply, 0 to 1, vig included. Null between −100 and 100, where no odds
 * exist.
 */
export function impliedProbability(moneyLine: number | null): number | null {
  if (moneyLine === null || Math.abs(moneyLine) < 100) return null
  return moneyLine < 0 ? -moneyLine / (100 - moneyLine) : 100 / (100 + moneyLine)
}

export interface MarketChances {
  /** The probabilities without the vig. They sum to one. */
  readonly home: number
  readonly away: number
  /** By how much the sum of both implied probabilities exceeds one. */
  readonly vig: number
}

/**
 * The probabilities that a line's two money lines imply, without the vig: each side's share of their sum.
 * Null if one is missing.
 */
export function marketChances(line: MoneyLines | null): MarketChances | null {
  const home = impliedProbability(line?.money_line_home ?? null)
  const away = impliedProbability(line?.money_line_away ?? null)
  if (home === null || away === null) return null
  return { home: home / (home + away), away: away / (home + away), vig: home + away - 1 }
}

export interface Edge {
  /**
   * For each side, the predicted probability minus the market's, −1 to 1. Above 0, the prediction rates it
   * higher than the market. Both sum to 0.
   */
  readonly home: number | null
  readonly away: number | null
  /** The home team's predicted margin minus the margin that the spread implies, in points. */
  readonly spread: number | null
  /** The predicted total minus the line's total, in points. */
  readonly total: number | null
}

/** A prediction compared with a line. A part is null if either lacks it. */
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
