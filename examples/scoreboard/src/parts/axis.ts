/** At most six round numbers that cover the values. */
export function ticksOf(low: number, high: number): number[] {
  const rough = (high - low || 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? power
  const first = Math.floor(low / step)
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, at) => (first + at) * step)
}

type Range = readonly [number, number]

/** Maps values to pixels. */
export const scale = (from: Range, to: Range) => (value: number) =>
  to[0] + ((value - from[0]) / (from[1] - from[0] || 1)) * (to[1] - to[0])

export interface Drawn {
  readonly x: number
  readonly y: number
}

const at = (value: number) => value.toFixed(1)

/** A line through points. */
export const lineThrough = (points: readonly Drawn[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${at(x)} ${at(y)}`).join('')

/** A line of steps: a value stays until the next point, as a betting line does. */
export const stepsThrough = (points: readonly Drawn[]): string =>
  points.map(({ x, y }, index) => (index === 0 ? `M${at(x)} ${at(y)}` : `H${at(x)}V${at(y)}`)).join('')
