import { statisticClasses, tables } from '../../specification/tables.ts'
import type { Row, StatisticClass, TableName } from '../../specification/tables.ts'
import type { Kind } from '../../specification/columns.ts'
import type { CoachSeason, Membership } from '../league/facts.ts'

/** Tables whose sport part is one JSON object of numbers in the column `line`. */
export type LinedTable = (typeof linedTables)[number]

export const linedTables = ['boxscore', 'player_boxscore', ...statisticClasses] as const

/** The searchable tables. `folded` is the result of `foldNames` for a row's names. */
export type NamedTable = 'team' | 'player' | 'coach'

export const namedTables: readonly NamedTable[] = ['team', 'player', 'coach']

type Line = { line: string }
type Folded = { folded: string }

/** Columns that can be filtered but are not in answers, as in the specification (§2). */
const unshown: Readonly<Partial<Record<TableName, readonly (keyof Place)[]>>> = {
  statistic_ranking: ['organization_id', 'division_id'],
}

type Place = Pick<Row<'elo'>, 'organization_id' | 'division_id'>

/** A row in the database. A team's conference is that of its membership in each season. */
export type StoredRow<T extends TableName> = (T extends 'team' ? Omit<Row<T>, 'conference_id'> : Row<T>) &
  (T extends 'statistic_ranking' ? Place : unknown) &
  (T extends LinedTable ? Line : unknown) &
  (T extends NamedTable ? Folded : unknown)

/** A division of an organization, and the source of its rows. */
export interface League {
  organization_id: string
  division_id: string
  sport: string
  /** `sample`, or the name of the importer. */
  source: string
  /** A fingerprint by which changes of the source are detected; null if they are not checked. */
  fingerprint: string | null
  published_at: string
}

/** A part of a person’s or team’s names, for search: see `partsOf`. */
export interface NamePart {
  kind: NamedTable
  part: string
  /** The key of a row in the table `kind`. */
  id: string
}

/** A day for which a class has all its rows. */
export interface RankedDay {
  class: StatisticClass
  organization_id: string
  division_id: string
  season: number
  /** `YYYY-MM-DD` */
  day: string
}

/** What a season calls a team or person, as JSON of the row. The row itself has the latest season's names. */
export interface SeasonName {
  kind: NamedTable
  /** The key of a row in the table `kind`. */
  id: string
  season: number
  organization_id: string
  division_id: string
  facts: string
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
  season_name: SeasonName
  meta: Meta
}

/** The columns of the specification in a table, with their kinds. */
export function specifiedColumns(table: TableName): [name: string, kind: Kind][] {
  return Object.entries(tables[table])
    .filter(([name]) => !(table === 'team' && name === 'conference_id'))
    .map(([name, column]) => [name, column.kind])
}

/** The columns by which a table can be filtered: all visible ones, and some hidden ones. */
export const filterColumns = (table: TableName): [name: string, kind: Kind][] => [
  ...specifiedColumns(table),
  ...(unshown[table] ?? []).map((name): [string, Kind] => [name, 'key']),
]

export const tableNames = Object.keys(tables) as readonly TableName[] // Object.keys loses the names; they are exactly these
