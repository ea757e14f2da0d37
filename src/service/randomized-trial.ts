import { createHash } from 'node:crypto'

/**
 * The header for answers with randomized values. The specification does not show how to say so; clients of
 * another service see no such header.
 */
export const randomizedHeader = { 'x-data-quality': 'randomized' } as const

/** By how much a chance is off at most. */
const MOST = 0.15
/** By how many points a predicted score is off at most. */
const POINTS = 6

/**
 * An answer for a trial, with some of its data randomized (specification §5): the chances and scores of
 * predictions. The same row is randomized in the same way in every answer, chances still sum to one, and all
 * other rows are as they are.
 */
export function randomized(text: string): string {
  if (!text.includes('"home_percentage"')) return text
  return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
    isPrediction(value) ? off(value) : value,
  )
}

interface Prediction {
  readonly prediction_id?: unknown
  readonly home_percentage: number
  readonly home_score?: unknown
  readonly away_score?: unknown
}

const isPrediction = (value: unknown): value is Prediction =>
  typeof value === 'object' &&
  value !== null &&
  'home_percentage' in value &&
  typeof value.home_percentage === 'number'

function off(row: Prediction): Prediction {
  const home_percentage = rounded(
    Math.min(0.99, Math.max(0.01, row.home_percentage + MOST * drawn(row, 'chance'))),
  )
  return {
    ...row,
    home_percentage,
    ...('away_percentage' in row && { away_percentage: rounded(1 - home_percentage) }),
    ...scores(row),
  }
}

/** Whole points, never below zero and never a draw. */
function scores(row: Prediction) {
  const { home_score, away_score } = row
  if (typeof home_score !== 'number' || typeof away_score !== 'number') return {}
  const home = Math.max(0, home_score + Math.round(POINTS * drawn(row, 'home')))
  const away = Math.max(0, away_score + Math.round(POINTS * drawn(row, 'away')))
  return { home_score: home === away ? home + 1 : home, away_score: away }
}

const rounded = (chance: number) => Math.round(chance * 10_000) / 10_000

/** −1 to 1, the same for the same row. */
function drawn({ prediction_id, home_percentage }: Prediction, what: string): number {
  const digest = createHash('sha256')
    .update(`${String(prediction_id ?? home_percentage)}/${what}`)
    .digest()
  return (2 * digest.readUInt32BE(0)) / 0xffff_ffff - 1
}
