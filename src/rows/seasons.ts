import { seasonUntil } from './freshness.ts'
import type { Freshness, FreshFor, SeasonFacts } from './freshness.ts'
import { momentOf } from './moments.ts'
import { numberOf } from './values.ts'

/** The seasons of one organization that rows have told of. */
interface Organization {
  newest: number
  /**
   * The earliest that any of its seasons had begun, in milliseconds after the new year of the season's
   * number.
   */
  opening: number
  readonly seasons: Map<number, Season>
}

/** Everything that belongs to a season is judged by it. */
class Season implements SeasonFacts, Freshness {
  readonly season: number
  earliest = Number.POSITIVE_INFINITY
  latest = Number.NEGATIVE_INFINITY
  /** The latest date on which a game of it is known to have been played. */
  lastPlayed = Number.NEGATIVE_INFINITY
  seriesEnd: number | null = null
  readonly organization: Organization
  readonly #fresh: FreshFor

  constructor(season: number, organization: Organization, fresh: FreshFor) {
    this.season = season
    this.organization = organization
    this.#fresh = fresh
  }

  get newest(): number {
    return this.organization.newest
  }

  get usualStart(): number | null {
    const { opening } = this.organization
    return opening === Number.POSITIVE_INFINITY ? null : newYear(this.season) + opening
  }

  readonly until = (boughtAt: number): number => seasonUntil(this, boughtAt, this.#fresh)
}

const newYears = new Map<number, number>()

/** The moment at which a year begins. */
function newYear(year: number): number {
  let moment = newYears.get(year)
  if (moment === undefined) {
    moment = Date.UTC(year, 0, 1)
    if (isSeason(year)) newYears.set(year, moment)
  }
  return moment
}
const day = 86_400_000

/**
 * A season is named after the year in which it begins or ends, so its rows lie no further from that new year.
 */
const isWithin = (offset: number) => offset > -200 * day && offset < 600 * day

const isSeason = (value: number) => Number.isInteger(value) && value > 1800 && value < 3000
/** A season that has begun is named after no later year than the next. */
const isPossible = (season: number, now: number) => newYear(season - 1) <= now

/** The season of a row. */
interface Named {
  readonly organization_id?: unknown
  readonly season?: unknown
}

/** What a dated row tells of its season. */
interface Told {
  /** Whether a game of the season has been played by that date. */
  readonly isPlayed: boolean
  /** Whether there is a row for every day or game of the season, of which this is the last. */
  readonly isSeries?: boolean
}
const mostOrganizations = 1_000
const twoWeeks = 14 * day

/** What rows tell of seasons: which are under way, and which are over. */
export class Seasons {
  readonly #fresh: FreshFor
  readonly #organizations = new Map<string, Organization>()
  /** The organization of the row before: nearly all rows of an answer are of one. */
  #last: { readonly name: string; readonly organization: Organization } | null = null

  constructor(fresh: FreshFor) {
    this.#fresh = fresh
  }

  /** The freshness of what belongs to a season of an organization. */
  of(organization: unknown, season: number): Freshness {
    return this.#season(String(organization ?? ''), season)
  }

  /** Notes a dated row of a season. */
  note({ organization_id, season }: Named, date: unknown, { isPlayed, isSeries }: Told, now: number): void {
    const year = numberOf(season)
    const time = typeof date === 'string' ? momentOf(date) : Number.NaN
    const offset = time - newYear(year)
    if (typeof organization_id !== 'string' || !isSeason(year) || !isWithin(offset)) return
    const known = this.#season(organization_id, year)
    known.latest = Math.max(known.latest, time)
    if (isSeries) known.seriesEnd = Math.max(known.seriesEnd ?? time, time)
    if (!isPlayed || time > now || !isPossible(year, now)) return
    known.earliest = Math.min(known.earliest, time)
    known.lastPlayed = Math.max(known.lastPlayed, time)
    const { organization } = known
    organization.newest = Math.max(organization.newest, year)
    organization.opening = Math.min(organization.opening, offset)
  }

  /** Notes that a game of a season has been played, whenever that was. */
  notePlayed({ organization_id, season }: Named, now: number): void {
    const year = numberOf(season)
    if (typeof organization_id !== 'string' || !isSeason(year) || !isPossible(year, now)) return
    const { organization } = this.#season(organization_id, year)
    organization.newest = Math.max(organization.newest, year)
  }

  /**
   * The season in which a game of the organization was played in the last two weeks; undefined where no row
   * has told of one.
   */
  underWay(organization: string, now: number): number | undefined {
    const known = this.#organizations.get(organization)
    const season = known?.seasons.get(known.newest)
    return season && season.lastPlayed > now - twoWeeks ? season.season : undefined
  }

  /** Forgets which seasons have begun: the clock was ahead. */
  setBack(): void {
    for (const organization of this.#organizations.values()) {
      organization.newest = 0
      organization.opening = Number.POSITIVE_INFINITY
      for (const season of organization.seasons.values()) {
        season.earliest = Number.POSITIVE_INFINITY
        season.lastPlayed = Number.NEGATIVE_INFINITY
      }
    }
  }

  #season(name: string, season: number): Season {
    const organization = this.#organization(name)
    const before = organization.seasons.get(season)
    if (before) return before
    const made = new Season(season, organization, this.#fresh)
    if (isSeason(season)) organization.seasons.set(season, made)
    return made
  }

  #organization(name: string): Organization {
    if (this.#last?.name === name) return this.#last.organization
    let organization = this.#organizations.get(name)
    if (!organization) {
      if (this.#organizations.size >= mostOrganizations) this.#organizations.clear()
      organization = { newest: 0, opening: Number.POSITIVE_INFINITY, seasons: new Map() }
      this.#organizations.set(name, organization)
    }
    this.#last = { name, organization }
    return organization
  }
}
