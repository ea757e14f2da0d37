import { ScopeRequiredError } from '../upstream/errors.ts'
import { parseId } from './ids.ts'

/**
 * What many requests need beside an id, in the service's own words. An object hands its scope to what is
 * reached from it.
 */
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

/** A scope of which some parts are known. */
export type Known<N extends keyof Scope> = Scope & { readonly [K in N]-?: NonNullable<Scope[K]> }

const byLeague =
  'reach it through a league, `{ league(code: "CBB") { … } }`, or set DEFAULT_ORGANIZATION_ID and DEFAULT_DIVISION_ID at the server'

/** What to write where a part is missing. */
const remedies = {
  organization_id: byLeague,
  division_id: byLeague,
  season: 'write the year, `season: 2026`, as an argument of this field',
  day: 'write the day, `date: "2026-01-31"`, as an argument of this field',
} as const

/** The scope with each of the named parts known; throws ScopeRequiredError that says what to write. */
export function requireScope<N extends keyof Scope>(scope: Scope, ...names: readonly N[]): Known<N> {
  const missing = names.filter((name) => scope[name] === undefined)
  if (missing.length > 0) throw new ScopeRequiredError(whatToWrite(missing))
  return scope as Known<N> // each of the names was just seen
}

/** The message of SCOPE_REQUIRED: which arguments are missing, and what to write instead. */
export function whatToWrite(missing: readonly (keyof Scope)[]): string {
  const hows = [...new Set(missing.map((name) => remedies[name]))]
  return `Missing: ${missing.map((name) => argumentOf[name]).join(' and ')}. To name it, ${hows.join('; and ')}.`
}
