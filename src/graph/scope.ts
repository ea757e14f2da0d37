import { ScopeRequiredError } from '../upstream/errors.ts'
import { parseId } from './ids.ts'

/** What many requests need beside an id, in the service's own words. An object hands its scope to what is reached from it. */
export interface Scope {
  readonly organization_id?: string | undefined
  readonly division_id?: string | undefined
  readonly season?: number | undefined
  /** A day on which the teams reached from here played, `YYYY-MM-DD`. */
  readonly day?: string | undefined
}

/** The arguments of a field that win over its scope. */
export interface ScopeArguments {
  readonly organizationId?: string | null | undefined
  readonly divisionId?: string | null | undefined
  readonly season?: number | null | undefined
}

const argumentOf = {
  organization_id: 'organizationId',
  division_id: 'divisionId',
  season: 'season',
  day: 'date',
} as const

/** The one rule: an argument, else the scope that the parent was reached in, else the default league. */
export function scopeWith(args: ScopeArguments, parent: Scope, defaults: Scope): Scope {
  const { organizationId, divisionId, season } = args
  // A division belongs to its organization: the default's goes with the default organization alone.
  const organization_id = idOr(organizationId, 'organization') ?? parent.organization_id
  const division_id = idOr(divisionId, 'division') ?? (organizationId ? undefined : parent.division_id)
  const byDefault = organization_id === undefined || organization_id === defaults.organization_id
  return {
    organization_id: organization_id ?? defaults.organization_id,
    division_id: division_id ?? (byDefault ? defaults.division_id : undefined),
    season: season ?? parent.season,
    day: parent.day,
  }
}

const idOr = (id: string | null | undefined, table: 'organization' | 'division') =>
  id === null || id === undefined ? undefined : parseId(id, table)

type Known<N extends keyof Scope> = Scope & { readonly [K in N]-?: NonNullable<Scope[K]> }

/** The scope with each of the named parts known; throws ScopeRequiredError naming the arguments that are missing. */
export function requireScope<N extends keyof Scope>(scope: Scope, ...names: readonly N[]): Known<N> {
  const missing = names.filter((name) => scope[name] === undefined).map((name) => argumentOf[name])
  if (missing.length > 0)
    throw new ScopeRequiredError(
      `Neither an argument nor the object that this was reached from says which ${missing.join(' and ')}.`,
    )
  return scope as Known<N> // each of the names was just seen
}
