import { tables } from '../../specification/tables.ts'
import type { Row, StatisticClass, TableName } from '../../specification/tables.ts'
import type { Kind } from '../../specification/columns.ts'
import type { CoachSeason, Membership } from '../league/facts.ts'

/** Tables whose sport part is one JSON object of numbers in the column `line`. */
export type LinedTable = 'boxscore' | 'player_boxscore' | StatisticClass

export const linedTables: readonly LinedTable[] = [
  'boxscore',
  'player_boxscore',
  'statistic_ranking',
  'player_statistic_ranking',
  'coach_statistic_ranking',
  'conference_statistic_ranking',
  'league_statistic_ranking',
  'conference_player_statistic_ranking',
  'league_player_statistic_ranking',
]

/** Tables that search looks through: `folded` is what `foldNames` makes of a row's names. */
export type NamedTable = 'team' | 'player' | 'coach'

export const namedTables: readonly NamedTable[] = ['team', 'player', 'coach']

type Line = { line: string }
type Folded = { folded: string }

/** Columns by which a table's rows are found, and which its answers leave out as the specification does (§2). */
const unshown: Readonly<Partial<Record<TableName, readonly (keyof Place)[]>>> = {
  statistic_ranking: ['organization_id', 'division_id'],
}

type Place = Pick<Row<'elo'>, 'organization_id' | 'division_id'>

/** A row as the database holds it. A team's conference is its membership's, season by season. */
export type StoredRow<T extends TableName> = (T extends 'team' ? Omit<Row<T>, 'conference_id'> : Row<T>) &
  (T extends 'statistic_ranking' ? Place : unknown) &
  (T extends LinedTable ? Line : unknown) &
  (T extends NamedTable ? Folded : unknown)

/** A division of an organization, and where its rows came from. */
export interface League {
  organization_id: string
  division_id: string
  sport: string
  /** `sample`, or the name of the importer. */
  source: string
  /** Tells whether a source has changed since it was published; null where nobody asks. */
  fingerprint: string | null
  published_at: string
}

/** A part of somebody’s names, for search: see `partsOf`. */
export interface NamePart {
  kind: NamedTable
  part: string
  /** The key of a row of the table `kind`. */
  id: string
}

/** A day of which a class has all its rows. */
export interface RankedDay {
  class: StatisticClass
  organization_id: string
  division_id: string
  season: number
  /** `YYYY-MM-DD` */
  day: string
}

export interface Meta {
  key: string
  value: string
}

export type Schema = { [T in TableName]: StoredRow<T> } & {
  membership: Membership
  coach_season: CoachSeason
  league: League
  ranked_day: RankedDay
  name_part: NamePart
  meta: Meta
}

/** The columns of the specification that a table keeps, with their kinds. */
export function specifiedColumns(table: TableName): [name: string, kind: Kind][] {
  return Object.entries(tables[table])
    .filter(([name]) => !(table === 'team' && name === 'conference_id'))
    .map(([name, column]) => [name, column.kind])
}

/** The columns that a table's rows are found by: all that it shows, and those that it keeps unshown. */
export const filterColumns = (table: TableName): [name: string, kind: Kind][] => [
  ...specifiedColumns(table),
  ...(unshown[table] ?? []).map((name): [string, Kind] => [name, 'key']),
]

export const tableNames = Object.keys(tables) as readonly TableName[] // Object.keys forgets the names; they are exactly these.
