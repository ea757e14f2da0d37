import { bell, between, chance } from './random.ts'
import type { Random } from './random.ts'

/** The result of a play from scrimmage. */
export interface Outcome {
  readonly kind: 'run' | 'sack' | 'complete' | 'incomplete' | 'intercepted'
  /** Yards that the offense has gained or, negative, lost. */
  readonly yards: number
  readonly fumbled: boolean
  /** Whether the other side has the ball now. */
  readonly lost: boolean
  /** The yards from the line of scrimmage at which the other side takes over. */
  readonly spot: number
  /** Yards that an interception was carried back. */
  readonly returned: number
  readonly touchdown: 'offense' | 'defense' | null
  readonly stopsClock: boolean
}

const plain = {
  fumbled: false,
  lost: false,
  spot: 0,
  returned: 0,
  touchdown: null,
  stopsClock: false,
} as const

/**
 * A pass with the goal `toGoal` yards away, by a side that gains `better` yards a play more than the average
 * one.
 */
export function passOf(random: Random, better: number, toGoal: number): Outcome {
  const roll = random()
  if (roll < 0.062) return fumbleOr(random, { ...plain, kind: 'sack', yards: -between(random, 2, 10) }, 0.12)
  if (roll < 0.087) return interception(random, toGoal)
  if (roll > 0.66 + better * 0.012) return { ...plain, kind: 'incomplete', yards: 0, stopsClock: true }
  const deep = chance(random, 0.08) ? between(random, 10, 42) : 0
  const yards = Math.max(-3, Math.round(2.6 + 21 * random() ** 2 + deep + better * 1.2))
  return gained(random, 'complete', yards, toGoal, 0.008)
}

/** A run, with the same arguments. */
export function runOf(random: Random, better: number, toGoal: number): Outcome {
  const broken = chance(random, 0.07) ? between(random, 6, 36) : 0
  const yards = Math.max(-4, Math.round(4 + bell(random) * 3 + broken + better * 0.8))
  return gained(random, 'run', yards, toGoal, 0.014)
}

function gained(
  random: Random,
  kind: 'run' | 'complete',
  yards: number,
  toGoal: number,
  fumbles: number,
): Outcome {
  if (yards >= toGoal) return { ...plain, kind, yards: toGoal, touchdown: 'offense' }
  return fumbleOr(random, { ...plain, kind, yards }, fumbles)
}

function fumbleOr(random: Random, outcome: Outcome, share: number): Outcome {
  if (!chance(random, share)) return outcome
  if (chance(random, 0.5)) return { ...outcome, fumbled: true }
  const touchdown = chance(random, 0.07) ? 'defense' : null
  return { ...outcome, fumbled: true, lost: true, spot: outcome.yards, touchdown, stopsClock: true }
}

function interception(random: Random, toGoal: number): Outcome {
  const air = Math.min(toGoal - 1, between(random, 2, 24))
  const all = 100 - toGoal + air
  const touchdown = chance(random, 0.1) ? 'defense' : null
  const returned = touchdown ? all : Math.min(all - 1, between(random, 0, 22))
  const spot = air - returned
  return { ...plain, kind: 'intercepted', yards: 0, lost: true, spot, returned, touchdown, stopsClock: true }
}

/** A flag before the snap: who committed it, and the yards, at most half the way to the goal. */
export function penaltyOf(random: Random, toGoal: number): { offense: boolean; yards: number } {
  const offense = chance(random, 0.55)
  const full = chance(random, 0.55) ? 5 : offense ? 10 : 15
  const room = offense ? 100 - toGoal : toGoal
  return { offense, yards: Math.max(0, Math.min(full, Math.floor(room / 2))) }
}
