/** A chance of a home win, 0 to 1, and whether it came. */
export interface Call {
  readonly chance: number
  readonly won: boolean
}

export const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The share of what is so, 0 to 1. */
export const share = (facts: readonly boolean[]) => mean(facts.map(Number))

export function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

/**
 * Glenn Brier, “Verification of forecasts expressed in terms of probability” (1950), for two outcomes: 0 is
 * right, 0.25 a coin.
 */
export const brier = (calls: readonly Call[]) =>
  mean(calls.map(({ chance, won }) => (chance - Number(won)) ** 2))

/** 0 is right and certain, 0.693 a coin. */
export const logLoss = (calls: readonly Call[]) =>
  mean(calls.map(({ chance, won }) => -Math.log(Math.max(1e-6, won ? chance : 1 - chance))))

/**
 * The calibration slope: a logistic regression of the outcomes on the log odds of the predictions. 1 is
 * calibrated, less is overconfident, more is underconfident. See D. R. Cox, “Two further applications of a
 * model for binary regression”, 1958.
 */
export function calibrationSlope(calls: readonly Call[]): number {
  const rows = calls.map(({ chance, won }) => ({ features: [1, Math.log(chance / (1 - chance))], won }))
  return logisticFit(rows)[1] ?? 0
}

/** One outcome and what it is to be explained by. */
export interface Case {
  readonly features: readonly number[]
  readonly won: boolean
}

/** The weights of the features that make the outcomes likeliest: Newton’s method. */
export function logisticFit(cases: readonly Case[]): number[] {
  const count = cases[0]?.features.length ?? 0
  let weights = Array.from({ length: count }, () => 0)
  for (let round = 0; round < 25; round++) {
    const slope = weights.map(() => 0)
    const curve = weights.map(() => weights.map(() => 0))
    for (const { features, won } of cases) {
      const chance = chanceOf(features, weights)
      features.forEach((value, row) => {
        slope[row]! += (Number(won) - chance) * value
        features.forEach((other, column) => (curve[row]![column]! += chance * (1 - chance) * value * other))
      })
    }
    const step = solved(curve, slope)
    weights = weights.map((weight, at) => weight + step[at]!)
    if (step.every((change) => Math.abs(change) < 1e-9)) break
  }
  return weights
}

/** The chance that weighted features stand for, 0.0001 to 0.9999. */
export function chanceOf(features: readonly number[], weights: readonly number[]): number {
  const logOdds = features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0)
  return Math.min(0.9999, Math.max(0.0001, 1 / (1 + Math.exp(-logOdds))))
}

/** Solves a small system of linear equations: Gauss and Jordan. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!])
  rows.forEach((pivot, at) => {
    const by = pivot[at]!
    pivot.forEach((value, column) => (pivot[column] = value / by))
    for (const row of rows) {
      if (row === pivot) continue
      const factor = row[at]!
      row.forEach((value, column) => (row[column] = value - factor * pivot[column]!))
    }
  })
  return rows.map((row) => row.at(-1)!)
}
