import { column, handle } from '../graph/handle.ts'
import { read } from '../graph/place.ts'
import type { Scope } from '../graph/scope.ts'
import { BadUserInputError } from '../upstream/errors.ts'
import type { ClientRequest } from '../upstream/client-request.ts'
import { hasAnyRating } from './current-season.ts'
import { leagueListAt, leagueListOrigin } from './organizations.ts'
import type { LeaguePart } from './organizations.ts'
import { allDone } from '../upstream/groups.ts'

interface League {
  readonly organization_id: string
  readonly division_id: string
}

interface Coded {
  readonly key: string
  readonly code: string
}

const field = 'Query.league'

const nameOfCode = (value: unknown) => (typeof value === 'string' ? value.trim().toUpperCase() : '')

/** Active organizations or divisions with their codes. */
async function coded(part: LeaguePart, request: ClientRequest, defaults: Scope): Promise<readonly Coded[]> {
  const context = { clientRequest: request, defaults }
  const place = leagueListAt(part, 0, request.account)
  const keys = (await read(leagueListOrigin(part), place, context, field)) ?? []
  return allDone(
    keys.map(async (key) => {
      const code = await column(handle(request, part, key, {}), 'code', context, field)
      return { key, code: nameOfCode(code) }
    }),
  )
}

/**
 * The league of a code: `CBB`, or `CBB/D1` if the organization has several divisions. The service does not
 * say which divisions belong to an organization. If several are possible, one small call for each tells which
 * has ratings.
 */
export async function leagueOfCode(text: string, request: ClientRequest, defaults: Scope): Promise<League> {
  const [organization = '', division, ...rest] = text.split('/').map(nameOfCode)
  const [organizations, divisions] = await allDone([
    coded('organization', request, defaults),
    coded('division', request, defaults),
  ])
  const found = organizations.find(({ code }) => code === organization)
  if (!found || rest.length > 0) throw unknownCode(text, organizations)
  const named = division === undefined ? divisions : divisions.filter(({ code }) => code === division)
  const leagues = named.map(({ key }) => ({ organization_id: found.key, division_id: key }))
  const one = await theOnly(leagues, request, defaults)
  if (one) return one
  throw unknownCode(
    text,
    named.map(({ code }) => ({ code: `${found.code}/${code}` })),
  )
}

/** The only league among pairs of an organization and a division; null if none or several are leagues. */
async function theOnly(
  leagues: readonly League[],
  request: ClientRequest,
  defaults: Scope,
): Promise<League | null> {
  const byDefault = leagues.find(
    ({ organization_id, division_id }) =>
      organization_id === defaults.organization_id && division_id === defaults.division_id,
  )
  if (byDefault || leagues.length === 1) return byDefault ?? leagues[0] ?? null
  const have = await allDone(leagues.map((league) => hasAnyRating(league, request, field)))
  const real = leagues.filter((_, index) => have[index])
  return real.length === 1 ? (real[0] ?? null) : null
}

const unknownCode = (text: string, known: readonly { readonly code: string }[]) => {
  const codes = [...new Set(known.map(({ code }) => code).filter((code) => code !== ''))].slice(0, 20)
  const others = codes.length > 0 ? ` Known: ${codes.join(', ')}.` : ''
  return new BadUserInputError(
    `No league, or more than one, has the code ${JSON.stringify(text.slice(0, 80))}.${others}`,
  )
}
