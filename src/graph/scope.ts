import { ScopeRequiredError } from '../errors/errors.ts'
import { parseId } from './ids.ts'

/**
 * What many operations need beside an id, by the service's names. Objects pass their scope on to those below
 * them.
 */
export interface Scope {
  readonly organization_id?: string | undefined
  readonly division_id?: string | undefined
  readonly season?: number | undefined
  /** A day on which the teams reached from here played, `YYYY-MM-DD`. */
  readonly day?: string | undefined
}

/** Arguments of a field. They take precedence over its scope. */
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

/** The scope of a field: first its arguments, then its parent's scope, then the default league. */
export function scopeWith(args: ScopeArguments, parent: Scope, defaults: Scope): Scope {
  const { organizationId, divisionId, season } = args
  // A division belongs to an organization, so the default division is used only with the default
  // organization.
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

/** A scope with the named parts present. */
export type Known<N extends keyof Scope> = Scope & { readonly [K in N]-?: NonNullable<Scope[K]> }

const byLeague =
  'Reach the field through a league, `{ league(code: "CBB") { … } }`, or set DEFAULT_ORGANIZATION_ID and DEFAULT_DIVISION_ID at the server'

/** How to supply a missing part. */
const remedies = {
  organization_id: byLeague,
  division_id: byLeague,
  season: 'Write the year, `season: 2026`, as an argument of this field',
  day: 'Write the day, `date: "2026-01-31"`, as an argument of this field',
} as const

const byDivision =
  'The server’s default division belongs to its default organization alone. Write `divisionId`, or reach the field through a league, `{ league(code: "CBB") { … } }`'

/** The scope with all named parts. Throws ScopeRequiredError, which says what to write. */
export function requireScope<N extends keyof Scope>(scope: Scope, ...names: readonly N[]): Known<N> {
  const missing = names.filter((name) => scope[name] === undefined)
  if (missing.length > 0) throw new ScopeRequiredError(whatToWrite(missing, scope))
  return scope as Known<N> // each of the names was just seen
}

/** The message of SCOPE_REQUIRED: which arguments are missing, and how to supply them. */
export function whatToWrite(missing: readonly (keyof Scope)[], { organization_id }: Scope): string {
  const remedyOf = (name: keyof Scope) =>
    name === 'division_id' && organization_id !== undefined ? byDivision : remedies[name]
  const hows = [...new Set(missing.map(remedyOf))]
  return `Missing: ${missing.map((name) => argumentOf[name]).join(' and ')}. ${hows.join('. ')}.`
}
