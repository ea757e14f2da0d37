import type { Scope } from '../graph/scope.ts'
import type { StatisticClass } from '../specification/tables.ts'
import type { Entry } from '../rows/entry.ts'
import { argumentsOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Arguments } from '../specification/operation.ts'
import { answerAt } from './answers.ts'

/** What identifies a row of statistics beside its owner's key. */
export interface Which {
  readonly identity: Arguments
  readonly date?: string | null | undefined
  readonly career?: boolean
  readonly active?: boolean | null | undefined
}

/** The entry that stores a row of statistics: its subject's. */
export function statisticsAt(name: StatisticClass, owner: Entry, scope: Scope, which: Which) {
  const { identity, date, career, active } = which
  const { organization_id, division_id, season } = scope
  const isTeamNow = name === 'statistic_ranking' && !date
  const values = argumentsOf({
    organization_id,
    division_id,
    ...identity,
    ...(career
      ? { career: 1, career_active: active === true ? 1 : null }
      : { season, date_of_rank: date, current: date || isTeamNow ? null : 1 }),
  })
  const operation = isTeamNow ? operations.getTeamStats : operations[name]
  return answerAt(owner, { operation, arguments: values }, scope)
}
