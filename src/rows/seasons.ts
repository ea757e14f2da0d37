import { seasonUntil } from './freshness.ts'
import type { Freshness, FreshFor, SeasonFacts } from './freshness.ts'

/** The seasons of one organization that rows have told of. */
interface Organization {
  newest: number
  readonly seasons: Map<number, Season>
}

/** Everything that belongs to a season is judged by it. */
class Season implements SeasonFacts, Freshness {
  readonly season: number
  earliest = Number.POSITIVE_INFINITY
  latest = Number.NEGATIVE_INFINITY
  seriesEnd: number | null = null
  readonly #organization: Organization
  readonly #fresh: FreshFor

  constructor(season: number, organization: Organization, fresh: FreshFor) {
    this.season = season
    this.#organization = organization
    this.#fresh = fresh
  }

  get newest(): number {
    return this.#organization.newest
  }

  readonly until = (boughtAt: number): number => seasonUntil(this, boughtAt, this.#fresh)
}

const isSeason = (value: number) => Number.isInteger(value) && value > 1800 && value < 3000
const mostOrganizations = 1_000

/** What rows tell of seasons: which are under way, and which are over. */
export class Seasons {
  readonly #fresh: FreshFor
  readonly #organizations = new Map<string, Organization>()

  constructor(fresh: FreshFor) {
    this.#fresh = fresh
  }

  /** The freshness of what belongs to a season of an organization. */
  of(organization: unknown, season: number): Freshness {
    return this.#season(String(organization ?? ''), season)
  }

  /** Notes a dated row of a season. A series has a row for every day or game of it. */
  note(
    { organization_id, season }: { readonly organization_id?: unknown; readonly season?: unknown },
    date: unknown,
    kind: 'game' | 'series',
    now: number,
  ): void {
    const year = Number(season)
    const time = typeof date === 'string' ? Date.parse(date) : Number.NaN
    if (typeof organization_id !== 'string' || !isSeason(year) || Number.isNaN(time)) return
    const known = this.#season(organization_id, year)
    known.earliest = Math.min(known.earliest, time)
    known.latest = Math.max(known.latest, time)
    if (kind === 'series') known.seriesEnd = Math.max(known.seriesEnd ?? time, time)
    const organization = this.#organizations.get(organization_id)
    if (organization && time <= now && year > organization.newest) organization.newest = year
  }

  #season(organization: string, season: number): Season {
    let known = this.#organizations.get(organization)
    if (!known) {
      if (this.#organizations.size >= mostOrganizations) this.#organizations.clear()
      this.#organizations.set(organization, (known = { newest: 0, seasons: new Map() }))
    }
    const before = known.seasons.get(season)
    if (before) return before
    const made = new Season(season, known, this.#fresh)
    if (isSeason(season)) known.seasons.set(season, made)
    return made
  }
}
