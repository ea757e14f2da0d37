import type { StatisticClass, TableName } from '../../specification/tables.ts'
import type { CoachSeason, Membership } from '../league/facts.ts'

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
  /** A table with names. */
  kind: TableName
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
  /** A table with names. */
  kind: TableName
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

/** The service's own tables, which no operation serves. */
export interface OwnTables {
  membership: Membership
  coach_season: CoachSeason
  league: League
  ranked_day: RankedDay
  name_part: NamePart
  season_name: SeasonName
  meta: Meta
}
