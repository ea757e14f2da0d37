import type { Context } from './context.ts'
import type { Handle } from './handle.ts'
import type { IdScope } from './ids.ts'
import { scopeWith } from './scope.ts'

/** The parts of a scope on which the fields of an object may depend. */
export type ScopePart = keyof IdScope

export const leagueParts: readonly ScopePart[] = ['organization_id', 'division_id']
export const everyPart: readonly ScopePart[] = [...leagueParts, 'season']

const plain: IdScope = {}

/**
 * The scope that an object's id carries: those of the given parts that are known of where it was reached, without
 * the default league. So two objects with one id have the same fields.
 */
export function idScopeOf({ scope }: Handle, parts: readonly ScopePart[], { defaults }: Context): IdScope {
  const { organization_id, season } = scope
  const isElsewhere = organization_id !== undefined && parts.includes('organization_id')
  const isInSeason = season !== undefined && parts.includes('season')
  if (!isElsewhere) return isInSeason ? { season } : plain
  const { organization_id: organization, division_id: division } = scopeWith({}, scope, defaults)
  const isDefault = organization === defaults.organization_id && division === defaults.division_id
  return {
    ...(!isDefault && { organization_id: organization, division_id: division }),
    ...(isInSeason && { season }),
  }
}
