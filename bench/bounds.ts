import { table } from './table.ts'

/** A ratio that is promised. */
export interface Bound {
  readonly what: string
  readonly ratio: number
  readonly atLeast?: number
  readonly atMost?: number
}

export const digits = (figure: number) => figure.toFixed(figure < 20 ? 2 : 0)

/** Prints each bound and whether it is met. Returns whether all are. */
export function reportBounds(bounds: readonly Bound[]): boolean {
  const isMet = ({ ratio, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Bound) =>
    ratio >= atLeast && ratio <= atMost
  const rows = bounds.map((bound) => [
    bound.what,
    digits(bound.ratio),
    bound.atLeast === undefined ? `at most ${bound.atMost}` : `at least ${bound.atLeast}`,
    isMet(bound) ? 'met' : 'missed',
  ])
  console.log(`\n${table(['bound', 'measured', 'promised', ''], rows)}`)
  return bounds.every(isMet)
}
