import type { Entry } from './entry.ts'
import { timeOf } from './moment.ts'
import type { Moment } from './moment.ts'
import { isUnderWay, phaseOf, saysNotBegun } from '../specification/game-status.ts'

/** The stage of a game: five words for the statuses of all services. */
export type Stage = 'SCHEDULED' | 'LIVE' | 'FINAL' | 'POSTPONED' | 'CANCELLED'

/** The columns of a score entry that decide a game's stage. */
export const stageColumns = ['status', 'current_period', 'home_score', 'away_score'] as const

type Stated = { readonly [C in (typeof stageColumns)[number]]: unknown } & {
  readonly start_datetime?: unknown
}

const stages = { final: 'FINAL', off: 'CANCELLED', postponed: 'POSTPONED' } as const

/** The stage of a game. A start in the future counts even if the status is unknown. */
export function stageOf(game: Stated, now: number): Stage {
  const phase = phaseOf(game.status)
  if (phase !== 'open' && phase !== 'unknown') return stages[phase]
  if (saysNotBegun(game, phase)) return 'SCHEDULED'
  const start = typeof game.start_datetime === 'string' ? Date.parse(game.start_datetime) : Number.NaN
  return start > now && !isUnderWay(game.status) ? 'SCHEDULED' : 'LIVE'
}

/** Whether a game has begun. Its pre-game line then no longer changes. */
export const hasBegun = (stage: Stage): boolean => stage === 'LIVE' || stage === 'FINAL'

/** The stage of a game by its score; null if that is not known. */
export function cachedStage(game: Entry, moment: Moment): Stage | null {
  const [status, current_period, home_score, away_score] = stageColumns.map((name) =>
    game.column(name, moment),
  )
  if (status === undefined || game.isMissing(moment)) return null
  return stageOf({ status, current_period, home_score, away_score }, timeOf(moment))
}
