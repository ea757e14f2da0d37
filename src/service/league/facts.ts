import type { Row } from '../../specification/tables.ts'
import type { League } from '../leagues/league.ts'
import type { Ratings } from '../numbers/elo.ts'
import type { Line } from '../numbers/line.ts'
import type { Sport } from '../numbers/rules.ts'

export type { Line, Sport }

export type Boxscore = Row<'boxscore'> & { line: Line }
export type PlayerBoxscore = Row<'player_boxscore'> & { line: Line }

/** A team's place in a division for one season. Teams themselves belong to no division (specification §2). */
export interface Membership {
  readonly team_id: string
  readonly organization_id: string
  readonly division_id: string
  readonly season: number
  readonly conference_id: string | null
}

export interface CoachSeason {
  readonly coach_id: string
  readonly team_id: string
  readonly season: number
}

/**
 * Everything that a source knows of one division: rows as the service serves them, before anything is
 * computed from them. Elo, predictions and statistics are computed from these by `numbers/`. Every row
 * belongs to `organization` and `division`.
 */
export interface Facts {
  readonly league: League
  readonly organization: Row<'organization'>
  readonly division: Row<'division'>
  readonly conferences: readonly Row<'conference'>[]
  /** `conference_id` is null here: it belongs to the membership. */
  readonly teams: readonly Row<'team'>[]
  readonly memberships: readonly Membership[]
  readonly players: readonly Row<'player'>[]
  readonly playerSeasons: readonly Row<'player_team_season'>[]
  readonly coaches: readonly Row<'coach'>[]
  readonly coachSeasons: readonly CoachSeason[]
  readonly transfers: readonly Row<'cbb_transfer_player_season'>[]
  /** By `start_datetime`. */
  readonly games: readonly Row<'game'>[]
  readonly odds: readonly Row<'odds'>[]
  readonly boxscores: readonly Boxscore[]
  readonly playerBoxscores: readonly PlayerBoxscore[]
  /** The ratings from the season before the first one, if the source has them. */
  readonly opening?: Ratings
}

/** The facts that are rows of a table. */
export type FactName = Exclude<keyof Facts, 'league' | 'opening'>

/** A row of such facts. */
export type FactRow<N extends FactName> = Facts[N] extends readonly (infer R)[] ? R : Facts[N]

type ListName = { [N in FactName]: Facts[N] extends readonly unknown[] ? N : never }[FactName]

/** Facts without rows: a source names the lists that it has. */
export const noFacts: { readonly [N in ListName]: readonly [] } = {
  conferences: [],
  teams: [],
  memberships: [],
  players: [],
  playerSeasons: [],
  coaches: [],
  coachSeasons: [],
  transfers: [],
  games: [],
  odds: [],
  boxscores: [],
  playerBoxscores: [],
}
