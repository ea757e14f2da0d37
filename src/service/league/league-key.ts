/** A division of an organization, which is published as a whole. */
export interface LeagueKey {
  readonly organization_id: string
  readonly division_id: string
}

/** One season of a league. */
export interface SeasonKey extends LeagueKey {
  readonly season: number
}
