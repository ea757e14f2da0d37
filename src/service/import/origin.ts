import type { Row } from '../../specification/tables.ts'
import type { Facts, Membership } from '../league/facts.ts'
import { identify } from '../league/identity.ts'
import type { League } from '../leagues/league.ts'
import { leagueOfKey } from '../leagues/leagues.ts'
import { ImportFailed } from './faults.ts'
import { conferenceCode } from './rows.ts'

/** The league of an import’s rows, and the basis of their ids. */
export interface Origin {
  readonly league: League
  readonly organization_id: string
  readonly division_id: string
  readonly season: number
  /** The id of a row: the same for the same source and league, different for another league. */
  key(...parts: (string | number)[]): string
}

/**
 * The league that a source's season belongs to: the source’s usual one, or one of its own with `--league
 * NAME`. A name in `leagues/` has that league’s names and constants; any other name has those of the usual
 * league.
 * @throws {ImportFailed} if the named league plays another sport
 */
export function originOf(source: string, season: number, usual: League, name?: string): Origin {
  const namespace = name === undefined ? source : `${source}/${name}`
  const key = (...parts: (string | number)[]) => identify(namespace, ...parts.map(whole))
  const league = name === undefined ? usual : leagueNamed(name, usual)
  if (league.rules.sport !== usual.rules.sport)
    throw new ImportFailed(
      `${source} has ${usual.rules.sport}, and ${name} is a league of ${league.rules.sport}`,
    )
  return { league, organization_id: key('organization'), division_id: key('division'), season, key }
}

/** A part of an id, which is joined with others by `/`. No text of a source contains NUL. */
const whole = (part: string | number) => (typeof part === 'string' ? part.replaceAll('/', '\0') : part)

const leagueNamed = (name: string, usual: League): League =>
  leagueOfKey(name) ?? { ...usual, organization: { code: name.toUpperCase(), name: titleOf(name) } }

/** `womens-basketball` → `Womens Basketball`. */
const titleOf = (name: string): string =>
  name
    .split('-')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join(' ')

const named = (code: string, name: string, id: string) => ({ code, name, guid: id, inactive: 0, deleted: 0 })

/** The organization and division of an origin, and its league’s constants. */
export function leagueRows(origin: Origin): Pick<Facts, 'league' | 'organization' | 'division'> {
  const { league, organization_id, division_id } = origin
  const { organization, division } = league
  return {
    league,
    organization: { organization_id, ...named(organization.code, organization.name, organization_id) },
    division: { division_id, ...named(division.code, division.name, division_id) },
  }
}

/** The id of a row about a game whose source numbers its games within a season, from 1 for example. */
export const keyOfGame = (origin: Origin, kind: string, game: string, ...parts: string[]): string =>
  origin.key(kind, origin.season, game, ...parts)

/** A conference is identified by its name. */
export const conferenceId = (origin: Origin, name: string): string => origin.key('conference', name)

/** The conferences with these names, without duplicates. */
export const conferenceRows = (origin: Origin, names: Iterable<string>): Row<'conference'>[] =>
  [...new Set(names)]
    .filter((name) => name !== '')
    .map((name) => ({
      conference_id: conferenceId(origin, name),
      organization_id: origin.organization_id,
      division_id: origin.division_id,
      code: conferenceCode(name, conferenceId(origin, name)),
      name,
      guid: null,
      deleted: 0,
    }))

export const membershipOf = (
  { organization_id, division_id, season }: Origin,
  team_id: string,
  conference_id: string | null,
): Membership => ({ team_id, organization_id, division_id, season, conference_id })
