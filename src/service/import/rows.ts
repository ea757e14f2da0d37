import type { Row } from '../../specification/tables.ts'
import type { Look } from './colours.ts'
import type { GameStatus } from './status.ts'

/** The colour of teams without a known one: a scoreboard needs one. */
const unknownColour = '#808080'

/** `Southern Miss.` → `southern-miss`. */
const codeOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/['.’()\p{M}]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** At most six capitals and digits. */
const charactersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 6)

/** The first code with a letter or digit: names of other scripts have none. */
const firstCode = (code: (name: string) => string, names: readonly string[]): string =>
  names.map(code).find((found) => found !== '') ?? ''

/** The code of a conference, or of its id. */
export const conferenceCode = (name: string, id: string): string => firstCode(codeOf, [name, id.slice(0, 8)])

/** @param names `source` is the team’s id in its source, for codes that its names do not make */
export function teamRow(
  team_id: string,
  guid: string | null,
  names: { char6: string; name: string; alt_name: string; source: string },
  look: Look | undefined,
): Row<'team'> {
  return {
    team_id,
    char6: firstCode(charactersOf, [names.char6, names.name, names.source, team_id]),
    code: firstCode(codeOf, [names.name, names.source, team_id.slice(0, 8)]),
    name: names.name,
    alt_name: names.alt_name,
    primary_color: look?.primary_color ?? unknownColour,
    secondary_color: look?.secondary_color ?? null,
    guid,
    deleted: 0,
    conference_id: null,
  }
}

/** The first word, and the rest: `Isiah St. Romain`. */
export function splitName(name: string): { first_name: string; last_name: string } {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  return { first_name: first, last_name: rest.join(' ') }
}

/** Columns of a player that no source has. */
export const unknownOfPlayer = {
  weight: null,
  college: null,
  draft_year: null,
  draft_round: null,
  draft_number: null,
}

/** A game takes at most four hours; without a known start it ends with its day. */
const gameLength = 4 * 3_600_000

/** The latest possible end of a game, because no source has the real one. */
export const endedBy = (day: string, start: string | null): string =>
  start === null ? `${day}T23:59:59.000Z` : new Date(Date.parse(start) + gameLength).toISOString()

/** Columns that depend on a game’s state. `ended`: its end, as well as the source shows it. */
export function stateOf(status: GameStatus, day: string, ended: string) {
  const shared = { network: null, status, start_date: `${day}T00:00:00.000Z`, deleted: 0 }
  return status === 'final'
    ? {
        ...shared,
        current_period: 'Final',
        clock: '0:00',
        clock_last_updated_at: ended,
        updated_at: ended,
      }
    : { ...shared, current_period: null, clock: null, clock_last_updated_at: null, updated_at: null }
}
