import type { Row } from '../../specification/tables.ts'
import type { Look } from './colours.ts'
import type { GameStatus } from './status.ts'

/** A team of which no colour is known still has to have one on a scoreboard. */
const unknownColour = '#808080'

/** `Southern Miss.` → `southern-miss`. */
export const codeOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/['.’()\p{M}]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** At most six capitals and digits. */
export const charactersOf = (name: string): string =>
  name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 6)

export function teamRow(
  team_id: string,
  guid: string | null,
  names: { char6: string; name: string; alt_name: string },
  look: Look | undefined,
): Row<'team'> {
  return {
    team_id,
    char6: charactersOf(names.char6),
    code: codeOf(names.name),
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

/** What no source here knows of a player. */
export const unknownOfPlayer = {
  weight: null,
  college: null,
  draft_year: null,
  draft_round: null,
  draft_number: null,
}

/** A game takes up to four hours; of one without a start the day’s end is what is known. */
const gameLength = 4 * 3_600_000

/** When a game was over at the latest: nobody says when it ended. */
export const endedBy = (day: string, start: string | null): string =>
  start === null ? `${day}T23:59:59.000Z` : new Date(Date.parse(start) + gameLength).toISOString()

/** Columns that follow from where a game stands. `ended`: when it was over, by the best guess the source allows. */
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
