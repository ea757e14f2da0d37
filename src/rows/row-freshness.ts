import { after, finalFor } from './freshness.ts'
import type { Freshness, FreshFor } from './freshness.ts'
import { Seasons } from './seasons.ts'

/** Freshness of rows that belong to no game, and of those that belong to a season. */
export class RowFreshness {
  readonly freshFor: FreshFor
  readonly seasons: Seasons
  readonly live: Freshness
  readonly current: Freshness
  readonly reference: Freshness
  /** Rows that only corrections change. */
  readonly kept: Freshness = { until: (boughtAt) => after(boughtAt, finalFor) }
  /** Rows that are only reached through a list or an owner, which decides when to ask again. */
  readonly likeOwner: Freshness = { until: () => Number.POSITIVE_INFINITY }

  constructor(freshFor: FreshFor) {
    this.freshFor = freshFor
    this.seasons = new Seasons(freshFor)
    this.live = { until: (boughtAt) => after(boughtAt, freshFor.live) }
    this.current = { until: (boughtAt) => after(boughtAt, freshFor.current) }
    this.reference = { until: (boughtAt) => after(boughtAt, freshFor.reference) }
  }

  /** Rows of an organization's season; without a season, current rows. */
  ofSeason(organization: unknown, season: unknown): Freshness {
    return typeof season === 'number' ? this.seasons.of(organization, season) : this.current
  }
}
