import { after, finalFor } from './freshness.ts'
import type { Freshness, FreshFor } from './freshness.ts'
import { Seasons } from './seasons.ts'

/** The classes of rows that belong to no game, and the seasons that others belong to. */
export class RowFreshness {
  readonly freshFor: FreshFor
  readonly seasons: Seasons
  readonly live: Freshness
  readonly current: Freshness
  readonly reference: Freshness
  /** What will not change, but for corrections. */
  readonly kept: Freshness = { until: (boughtAt) => after(boughtAt, finalFor) }
  /** Rows that are only reached through a list, or through their owner, which decides when to ask again. */
  readonly likeOwner: Freshness = { until: () => Number.POSITIVE_INFINITY }

  constructor(freshFor: FreshFor) {
    this.freshFor = freshFor
    this.seasons = new Seasons(freshFor)
    this.live = { until: (boughtAt) => after(boughtAt, freshFor.live) }
    this.current = { until: (boughtAt) => after(boughtAt, freshFor.current) }
    this.reference = { until: (boughtAt) => after(boughtAt, freshFor.reference) }
  }

  /** What belongs to a season of an organization, or of any; without a season, what is current. */
  ofSeason(organization: unknown, season: unknown): Freshness {
    return typeof season === 'number' ? this.seasons.of(organization, season) : this.current
  }
}
