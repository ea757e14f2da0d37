import { bell, between } from './random.ts'
import type { Random } from './random.ts'

/** A basketball player's skills. Weights are relative to his team-mates, shares are 0 to 1. */
export interface BasketballSkills {
  /** Minutes that he is to play in a game of forty. */
  readonly minutes: number
  /** Weight of the shots that he takes. */
  readonly usage: number
  /** Share of his shots from beyond the arc. */
  readonly three: number
  /** Added to the share of the shots that he makes. */
  readonly touch: number
  readonly freeThrow: number
  readonly rebounding: number
  readonly passing: number
  readonly stealing: number
  readonly blocking: number
}

export type FootballRole =
  | 'passing'
  | 'rushing'
  | 'receiving'
  | 'tackling'
  | 'rush'
  | 'coverage'
  | 'kicking'
  | 'punting'
  | 'returning'

/** A football player's weight in each role. */
export type FootballSkills = Readonly<Record<FootballRole, number>>

const minutesByDepth = [33, 32, 30, 28, 26, 18, 14, 10, 6, 3, 0]

const builds: Readonly<
  Record<string, Pick<BasketballSkills, 'three' | 'rebounding' | 'passing' | 'blocking'>>
> = {
  G: { three: 0.46, rebounding: 3, passing: 6, blocking: 0.5 },
  F: { three: 0.34, rebounding: 6, passing: 3, blocking: 2 },
  C: { three: 0.1, rebounding: 10, passing: 2, blocking: 5 },
}

/** A basketball player's skills, by his position and his place in the rotation. */
export function basketballSkills(random: Random, position: string, depth: number): BasketballSkills {
  const build = builds[position] ?? { three: 0.3, rebounding: 5, passing: 3, blocking: 1 }
  const some = (mean: number) => Math.max(0.02, mean * (1 + bell(random) * 0.3))
  return {
    minutes: minutesByDepth[depth] ?? 0,
    usage: some(10 - depth * 0.35),
    three: Math.min(0.75, some(build.three)),
    touch: bell(random) * 0.025,
    freeThrow: Math.min(0.92, Math.max(0.5, 0.71 + bell(random) * 0.07)),
    rebounding: some(build.rebounding),
    passing: some(build.passing),
    stealing: some(2),
    blocking: some(build.blocking),
  }
}

const none: FootballSkills = {
  passing: 0,
  rushing: 0,
  receiving: 0,
  tackling: 0,
  rush: 0,
  coverage: 0,
  kicking: 0,
  punting: 0,
  returning: 0,
}

const roles: Readonly<Record<string, Partial<FootballSkills>>> = {
  QB: { passing: 100, rushing: 14 },
  RB: { rushing: 60, receiving: 10, returning: 4 },
  WR: { receiving: 30, returning: 10, rushing: 1 },
  TE: { receiving: 16 },
  DL: { tackling: 8, rush: 12 },
  LB: { tackling: 14, rush: 5, coverage: 3 },
  DB: { tackling: 10, coverage: 12, returning: 3 },
  K: { kicking: 1 },
  P: { punting: 1 },
}

/** A football player's skills. A reserve quarterback, kicker or punter does not play. */
export function footballSkills(random: Random, position: string, depth: number): FootballSkills {
  const soloRole = ['QB', 'K', 'P'].includes(position)
  const share = soloRole ? Number(depth === 0) : 1 / (1 + depth * 0.45)
  const weights = Object.entries(roles[position] ?? {}).map(
    ([role, weight]) => [role, (weight * share * between(random, 80, 120)) / 100] as const,
  )
  return { ...none, ...Object.fromEntries(weights) }
}
