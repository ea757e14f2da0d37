import { column, handle } from '../graph/handle.ts'
import { read } from '../graph/place.ts'
import type { Scope } from '../graph/scope.ts'
import { BadUserInputError } from '../errors/errors.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { hasAnyRating } from './current-season.ts'
import { leagueListAt, leagueListOrigin } from './organizations.ts'
import type { LeaguePart } from './organizations.ts'
import { allDone } from '../groups.ts'

interface League {
  readonly organization_id: string
  readonly division_id: string
  /** With its division's: `CBB/D1`. */
  readonly code: string
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
export async function leagueOfCode(
  text: string,
  request: ClientRequest,
  defaults: Scope,
): Promise<Omit<League, 'code'>> {
  const [organization = '', division, ...rest] = text.split('/').map(nameOfCode)
  const [organizations, divisions] = await allDone([
    coded('organization', request, defaults),
    coded('division', request, defaults),
  ])
  const found = organizations.find(({ code }) => code === organization)
  if (!found || rest.length > 0) throw wrongCode(text, 'No league has', 'Known:', organizations)
  const all = divisions.map(({ key, code }) => ({
    organization_id: found.key,
    division_id: key,
    code: `${found.code}/${code}`,
  }))
  const named = all.filter(({ code }) => division === undefined || code === `${found.code}/${division}`)
  const [one, ...others] = await leaguesAmong(named, request, defaults)
  if (!one) throw wrongCode(text, 'No league has', 'Known:', all)
  if (others.length > 0) throw wrongCode(text, 'Several leagues have', 'Write one of', [one, ...others])
  return { organization_id: one.organization_id, division_id: one.division_id }
}

/** The leagues among pairs of an organization and a division; the default league alone if it is one of them. */
async function leaguesAmong(
  leagues: readonly League[],
  request: ClientRequest,
  defaults: Scope,
): Promise<readonly League[]> {
  const byDefault = leagues.find(
    ({ organization_id, division_id }) =>
      organization_id === defaults.organization_id && division_id === defaults.division_id,
  )
  if (byDefault) return [byDefault]
  if (leagues.length < 2) return leagues
  const have = await allDone(leagues.map((league) => hasAnyRating(league, request, field)))
  return leagues.filter((_, index) => have[index])
}

function wrongCode(text: string, who: string, what: string, leagues: readonly { readonly code: string }[]) {
  const codes = [...new Set(leagues.map(({ code }) => code).filter((code) => code !== ''))].slice(0, 20)
  const others = codes.length > 0 ? ` ${what} ${codes.join(', ')}.` : ''
  return new BadUserInputError(`${who} the code ${JSON.stringify(text.slice(0, 80))}.${others}`)
}
