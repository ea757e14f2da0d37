import { scale, stepsThrough, ticksOf } from '../parts/axis.ts'
import type { Drawn } from '../parts/axis.ts'
import type { Movement } from './movement.ts'

/** Where the chart's two plots stand, in pixels. */
export const frame = { left: 54, right: 12, top: 10, chance: 150, gap: 36, spread: 90, foot: 26 }

const chanceFoot = frame.top + frame.chance
const spreadTop = chanceFoot + frame.gap
export const spreadFoot = spreadTop + frame.spread
export const height = spreadFoot + frame.foot

/** How much of the width the time before the game has if it was played too: days there, minutes here. */
const shareBefore = 0.3

/** Maps moments to pixels: one scale before the start and another one from then on. */
export function timeScale(movements: readonly Movement[], width: number) {
  const [left, right] = [frame.left, width - frame.right]
  const first = movements[0]?.at ?? 0
  const last = movements.at(-1)?.at ?? first
  const start = movements.find(({ isLive }) => isLive)?.at ?? null
  if (start === null) return { x: scale([first, last], [left, right]), start: null }
  // The first live line is also the last one for a while.
  const share = last > start ? shareBefore : 1
  const turn = first < start ? left + (right - left) * share : left
  const before = scale([first, start], [left, turn])
  const during = scale([start, last], [turn, right])
  return { x: (at: number) => (at < start ? before(at) : during(at)), start: { at: start, x: turn } }
}

export const chanceScale = scale([0, 1], [chanceFoot, frame.top])

/** The spread's scale: the home team is favoured more towards the top, as with its chances. */
export function spreadScale(movements: readonly Movement[]) {
  const spreads = movements.flatMap(({ spread }) => (spread === null ? [] : [spread]))
  const ticks = ticksOf(Math.min(...spreads, 0), Math.max(...spreads, 0))
  const y = scale([ticks.at(-1) ?? 1, ticks[0] ?? 0], [spreadFoot, spreadTop])
  return { ticks, y, top: spreadTop }
}

/** The movements that have a value, as points. */
export function drawnAt(
  movements: readonly Movement[],
  x: (at: number) => number,
  y: (value: number) => number,
  value: (movement: Movement) => number | null,
): Drawn[] {
  return movements.flatMap((movement) => {
    const found = value(movement)
    return found === null ? [] : [{ x: x(movement.at), y: y(found) }]
  })
}

/** The area between a line of steps and even chances. */
export function areaOf(points: readonly Drawn[]): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return ''
  const even = chanceScale(0.5).toFixed(1)
  return `${stepsThrough(points)}V${even}H${first.x.toFixed(1)}Z`
}
