import type { Rows } from '../../rows/rows.ts'
import { operations } from '../../specification/operations.ts'
import type { Arguments } from '../../specification/operation.ts'
import type { TableName } from '../../specification/tables.ts'
import type { Estimates, Level } from '../../account/estimates.ts'

/** Keys of made-up rows, and of the rows that they refer to. */
export interface MadeUpKeys {
  /** A new key. */
  readonly next: () => string
  readonly conference: () => string
  /** The key in a column of a row: the same in each answer with this row. */
  readonly referred: (table: TableName, row: string, column: string, values: Arguments) => string
  /** Notes the key in a column of a row that no answer has had, unless one is noted. */
  readonly note: (row: unknown, column: string, key: unknown) => void
}

export function madeUpKeys(estimates: Estimates, level: Level, known: Rows): MadeUpKeys {
  let made = 0
  const next = () => `00000000-0000-4000-b000-${String((made += 1)).padStart(12, '0')}`
  const conference = conferencesOf(estimates, level, known, next)
  const references = new Map<string, string>()
  const league = leaguesOf(known, next)
  return {
    next,
    conference,
    referred(table, row, column, values) {
      const isShared = level === 'least' && !differs(table, column, values)
      const own = `${row} ${column}`
      const place = isShared ? (sameTeam.has(column) ? 'team_id' : column) : own
      const made = () =>
        column === 'conference_id' ? conference() : (league(row)[column as keyof MadeUpLeague] ?? next())
      const key = references.get(own) ?? references.get(place) ?? made()
      references.set(place, key)
      return key
    },
    note(row, column, key) {
      const place = `${String(row)} ${column}`
      if (!references.has(place)) references.set(place, String(key))
    },
  }
}

/** Columns that may have the key of one and the same team. */
const sameTeam = new Set(['home_team_id', 'committed_team_id'])

/**
 * Whether the rows of one answer certainly refer to different rows. All others may be of one team, one player or
 * one league, which costs least.
 */
function differs(table: TableName, column: string, values: Arguments): boolean {
  switch (column) {
    case 'home_team_id':
    case 'away_team_id':
      return values['start_date'] !== undefined // a team plays once a day
    case 'team_id':
      return table === 'statistic_ranking' || (table === 'elo' && values['current'] !== undefined)
    case 'player_id':
      return table === 'player_statistic_ranking' || table === 'cbb_transfer_player_season'
    case 'coach_id':
      return table === 'coach_statistic_ranking'
    case 'conference_id':
      return table === 'conference_statistic_ranking'
    default:
      return false
  }
}

/** Leagues that made-up rows are of, unless more are known. */
const fewLeagues = 10

interface MadeUpLeague {
  readonly organization_id: string
  readonly division_id: string
}

/** The leagues of made-up rows, in turn. With one for each row, a list of transfers would be priced with thousands. */
function leaguesOf(known: Rows, key: () => string): (row: string) => MadeUpLeague {
  const leagues: MadeUpLeague[] = []
  const byRow = new Map<string, MadeUpLeague>()
  const most = Math.max(fewLeagues, known.keysOf('division').size)
  return (row) => {
    const nth = byRow.size % most
    const league = byRow.get(row) ?? (leagues[nth] ??= { organization_id: key(), division_id: key() })
    byRow.set(row, league)
    return league
  }
}

/**
 * The conferences of made-up teams: those that are known, and made-up ones, up to as many as a league has.
 * With one for each team, a week of games would be priced with hundreds.
 */
function conferencesOf(estimates: Estimates, level: Level, rows: Rows, key: () => string): () => string {
  const most = Math.round(estimates.rowsPerId(operations.readLeagueConferences, '', level))
  let next = 0
  let keys: string[] | undefined
  return () => {
    keys ??= [...rows.keysOf('conference')]
    while (keys.length < Math.max(1, most)) keys.push(key())
    return keys[(next += 1) % keys.length] ?? key()
  }
}
